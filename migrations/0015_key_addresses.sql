-- Addresses that a key can be used from; none for any. Fixed at mint, like scopes: no role can update the column.
alter table api_keys add column allowed_addresses cidr[] not null default '{}'
  check (cardinality(allowed_addresses) <= 50 and array_position(allowed_addresses, null) is null);
