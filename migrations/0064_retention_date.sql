-- oldest: 0055
-- The role of the nodes changes how long scans are kept only by this function: with the right to change the date from which a change applies,
-- somebody who uses the role could have scans deleted before anyone notices.
create function set_scan_retention(days smallint) returns void language sql volatile security definer
set search_path = pg_catalog, public, pg_temp
as $$
  update organizations set scan_retention_days = days, scan_retention_applies_at = now() + interval '7 days'
  where id = nullif(current_setting('parapet.organization_id', true), '')::uuid
$$;
revoke execute on function set_scan_retention from public;
grant execute on function set_scan_retention to {{app}};
revoke update (scan_retention_days, scan_retention_applies_at) on organizations from {{app}};
