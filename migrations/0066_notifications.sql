-- oldest: 0055
-- Notifications to people: what happened (notices), who wants to know of it (settings and channels), and the messages that say so (the
-- outbox). A notice commits together with what it is about; workers turn notices into messages and send these.

-- What a person chose for all organizations.
create table person_preferences (
  person_id uuid primary key references people (id),
  time_zone text not null default 'UTC' check (length(time_zone) between 1 and 64),
  -- Minutes of the local day between which nothing is sent; null for none.
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_until smallint check (quiet_until between 0 and 1439),
  quiet_except_critical boolean not null default true,
  -- Mail is sent to the address of the account only after the person has entered a code that was sent there.
  confirmed_email text check (length(confirmed_email) <= 320),
  code_hash bytea check (octet_length(code_hash) = 32),
  code_email text check (length(code_email) <= 320),
  code_expires_at timestamptz(3),
  code_tries smallint not null default 0,
  check ((quiet_from is null) = (quiet_until is null)),
  check ((code_hash is null) = (code_email is null) and (code_hash is null) = (code_expires_at is null))
);
alter table person_preferences enable row level security;
alter table person_preferences force row level security;
create policy tenant on person_preferences for select
  using (exists (select from memberships m where m.person_id = person_preferences.person_id and m.left_at is null
    and m.organization_id = nullif(current_setting('parapet.organization_id', true), '')::uuid));
create policy system on person_preferences to {{system}} using (true);
grant select (person_id, time_zone, quiet_from, quiet_until, quiet_except_critical, confirmed_email) on person_preferences to {{app}};
grant select, insert, update, delete on person_preferences to {{system}};
grant select (email_verified_at) on people to {{app}};

create table notices (
  organization_id uuid not null references organizations (id),
  id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('new_findings', 'assigned', 'mentioned', 'overdue', 'scan_failed', 'source_failing', 'agent_silent', 'key_expiring',
    'attestation_ending', 'backup_old')),
  -- The finding, comment, scan, source, probe, key or attestation that it is about; null for the installation.
  object_id uuid,
  -- Of findings that opened, the highest severity.
  severity text check (severity in ('critical', 'high', 'medium', 'low', 'info')),
  -- The only person whom it concerns; null for all.
  person_id uuid,
  -- A second notice with the same name is not stored.
  once text check (length(once) <= 200),
  created_at timestamptz(3) not null default now(),
  waits boolean not null default true,
  primary key (organization_id, id)
);
call isolate_tenant('notices');
create policy system on notices to {{system}} using (true);
create index waiting_notices on notices (organization_id, created_at) where waits;
create unique index notices_once on notices (organization_id, once) where once is not null;
create index notices_by_age on notices (created_at);
grant select, insert, update (waits) on notices to {{app}};
grant select (organization_id, created_at, waits), delete on notices to {{system}};

-- What a member wants to know of an organization.
create table notification_settings (
  organization_id uuid not null references organizations (id),
  person_id uuid not null,
  kinds text[] not null check (cardinality(kinds) <= 20),
  -- The lowest severity of new findings.
  severity text not null default 'high' check (severity in ('critical', 'high', 'medium', 'low')),
  digest text not null default 'weekly' check (digest in ('none', 'daily', 'weekly')),
  -- The end of the last digest, and when the next one is due.
  digested_until timestamptz(3) not null default now(),
  next_digest_at timestamptz(3),
  primary key (organization_id, person_id),
  foreign key (organization_id, person_id) references memberships (organization_id, person_id)
);
call isolate_tenant('notification_settings');
create policy system on notification_settings to {{system}} using (true);
create index due_digests on notification_settings (organization_id, next_digest_at) where next_digest_at is not null;
grant select, insert, update, delete on notification_settings to {{app}};
grant select (organization_id, person_id, kinds, digest, next_digest_at), update (kinds, digest, next_digest_at) on notification_settings to {{system}};

-- Saved views whose new findings a person is told of.
create table view_alerts (
  organization_id uuid not null references organizations (id),
  person_id uuid not null,
  view_id uuid not null,
  primary key (organization_id, person_id, view_id),
  foreign key (organization_id, person_id) references memberships (organization_id, person_id),
  foreign key (organization_id, view_id) references finding_views (organization_id, id) on delete cascade
);
call isolate_tenant('view_alerts');
create policy system on view_alerts to {{system}} using (true);
create index view_alerts_by_view on view_alerts (organization_id, view_id);
grant select, insert, delete on view_alerts to {{app}};
grant select (organization_id, person_id), delete on view_alerts to {{system}};

-- Incoming webhooks of chat systems. Whoever has the URL can post there, so it is stored like a credential.
create table notification_channels (
  organization_id uuid not null references organizations (id),
  id uuid not null default gen_random_uuid(),
  name text not null check (length(name) between 1 and 100),
  format text not null check (format in ('slack', 'teams', 'mattermost', 'google_chat', 'discord')),
  host text not null check (length(host) <= 300),
  master_key_id text not null,
  wrapped_key bytea not null,
  ciphertext bytea not null,
  kinds text[] not null check (cardinality(kinds) <= 20),
  severity text not null default 'high' check (severity in ('critical', 'high', 'medium', 'low')),
  digest text not null default 'none' check (digest in ('none', 'daily', 'weekly')),
  time_zone text not null default 'UTC' check (length(time_zone) between 1 and 64),
  digested_until timestamptz(3) not null default now(),
  next_digest_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
call isolate_tenant('notification_channels');
create policy system on notification_channels to {{system}} using (true);
create index due_channel_digests on notification_channels (organization_id, next_digest_at) where next_digest_at is not null;
grant select, insert, update, delete on notification_channels to {{app}};
grant select (organization_id, id, master_key_id, wrapped_key, next_digest_at), update (master_key_id, wrapped_key) on notification_channels to {{system}};

-- Messages to a person or a channel. Their text is composed when they are sent, from what is true then.
create table outbox (
  organization_id uuid not null references organizations (id),
  id uuid not null default gen_random_uuid(),
  purpose text not null check (purpose in ('alert', 'digest', 'test', 'code')),
  person_id uuid,
  channel_id uuid,
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'sent', 'empty', 'failed')),
  -- A message is not sent before, and one that is being sent is sent again after this moment, since its worker has died.
  ready_at timestamptz(3) not null default now(),
  attempts smallint not null default 0,
  error text check (length(error) <= 100),
  -- Of a digest.
  period_from timestamptz(3),
  created_at timestamptz(3) not null default now(),
  sent_at timestamptz(3),
  -- Of the token that turns off mail to the person.
  unsubscribe_hash bytea check (octet_length(unsubscribe_hash) = 32),
  primary key (organization_id, id),
  check ((person_id is null) <> (channel_id is null)),
  check ((period_from is not null) = (purpose = 'digest')),
  foreign key (organization_id, person_id) references memberships (organization_id, person_id),
  foreign key (organization_id, channel_id) references notification_channels (organization_id, id) on delete cascade
);
call isolate_tenant('outbox');
create policy system on outbox to {{system}} using (true);
-- What happens until it is sent joins the message that waits.
create unique index waiting_alert_to_person on outbox (organization_id, person_id) where purpose = 'alert' and state = 'waiting' and person_id is not null;
create unique index waiting_alert_to_channel on outbox (organization_id, channel_id) where purpose = 'alert' and state = 'waiting' and channel_id is not null;
create index unsent_messages on outbox (organization_id, ready_at) where state in ('waiting', 'sending');
create index messages_to_person on outbox (organization_id, person_id, created_at desc) where person_id is not null;
create index messages_to_channel on outbox (organization_id, channel_id, created_at desc) where channel_id is not null;
create index messages_by_age on outbox (created_at);
create index unsubscribe_tokens on outbox (unsubscribe_hash) where unsubscribe_hash is not null;
grant select, insert, update on outbox to {{app}};
grant select (organization_id, id, person_id, state, ready_at, created_at, unsubscribe_hash), delete on outbox to {{system}};

create table outbox_notices (
  organization_id uuid not null references organizations (id),
  message_id uuid not null,
  notice_id uuid not null,
  primary key (organization_id, message_id, notice_id),
  foreign key (organization_id, message_id) references outbox (organization_id, id) on delete cascade,
  foreign key (organization_id, notice_id) references notices (organization_id, id) on delete cascade
);
call isolate_tenant('outbox_notices');
create index outbox_notices_by_notice on outbox_notices (organization_id, notice_id);
grant select, insert on outbox_notices to {{app}};

-- As of what else is due, workers find none in a deleted organization.
create policy not_deleted on notices as restrictive for select to {{system}}
  using (organization_id not in (select id from organizations where deleted_at is not null));
create policy not_deleted on notification_settings as restrictive for select to {{system}}
  using (organization_id not in (select id from organizations where deleted_at is not null));
create policy not_deleted on notification_channels as restrictive for select to {{system}}
  using (organization_id not in (select id from organizations where deleted_at is not null));
create policy not_deleted on outbox as restrictive for select to {{system}}
  using (organization_id not in (select id from organizations where deleted_at is not null));

-- The next moment after `after` at this hour of the local day; of a week, on its Monday. In UTC where this server does not know the zone.
create function next_local_hour(after timestamptz, zone text, hour int, weekly boolean) returns timestamptz language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  local_day timestamp;
  moment timestamptz;
begin
  begin
    local_day := date_trunc('day', after at time zone zone);
  exception when invalid_parameter_value then
    zone := 'UTC';
    local_day := date_trunc('day', after at time zone zone);
  end;
  for day in 0..8 loop
    moment := (local_day + make_interval(days => day, hours => hour)) at time zone zone;
    if moment > after and (not weekly or extract(isodow from local_day + make_interval(days => day)) = 1) then return moment; end if;
  end loop;
  return moment;
end $$;
revoke execute on function next_local_hour from public;
grant execute on function next_local_hour to {{app}}, {{system}};

-- Someone who returns begins without notifications. In the database, as the owner, since members are removed by a role without access to
-- these tables.
create function forget_notifications() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp
as $$
declare
  bound constant text := current_setting('parapet.organization_id', true);
begin
  perform set_config('parapet.organization_id', new.organization_id::text, true);
  if exists (select from organizations where id = new.organization_id and deleted_at is null) then
    delete from view_alerts where person_id = new.person_id;
    delete from notification_settings where person_id = new.person_id;
  end if;
  perform set_config('parapet.organization_id', coalesce(bound, ''), true);
  return null;
end $$;
revoke execute on function forget_notifications from public;
create trigger forget_notifications after update of left_at on memberships for each row
  when (old.left_at is null and new.left_at is not null) execute function forget_notifications();
