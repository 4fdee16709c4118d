-- Which credentials a master key wraps is looked up across organizations; the bytes themselves are not.
create policy system on source_credentials for select to {{system}} using (true);
grant select (organization_id, master_key_id) on source_credentials to {{system}};
create index source_credentials_by_master_key on source_credentials (organization_id, master_key_id);
