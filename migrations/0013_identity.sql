-- An address is verified once its owner proved it: by an OpenID provider that has verified it. A link that an
-- administrator hands over proves nothing about the address.
alter table people add column email_verified_at timestamptz(3);

-- Only ASCII letters are folded, so that no other character of Unicode is taken for one of them.
drop index people_email;
create unique index people_email on people (lower(email collate "C"));

alter table person_identities add column id uuid not null default gen_random_uuid() unique;
-- The address that the provider had verified when the account was last used there.
alter table person_identities add column email text;
create index person_identities_of_person on person_identities (person_id);
grant update, delete on person_identities to {{system}};
-- Identities used to be linked by the address alone. An account with a password has to link its own again, signed in.
delete from person_identities i using people p where p.id = i.person_id and p.password_hash is not null;
update people p set email_verified_at = p.created_at
  where p.password_hash is null and exists (select from person_identities i where i.person_id = p.id);
update person_identities i set email = p.email from people p where p.id = i.person_id;

alter table invitations add column declined_at timestamptz(3);
create index invitations_email on invitations (lower(email collate "C"))
  where accepted_at is null and revoked_at is null and declined_at is null;

-- Whom the OpenID provider vouched for, while the person decides what to do with it. The token is in a cookie.
create table pending_identities (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  purpose text not null check (purpose in ('sign_in', 'link', 'step_up')),
  issuer text not null,
  subject text not null,
  email text,
  name text,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
grant select, insert, delete on pending_identities to {{system}};

-- Browsers in which somebody has completed a sign-in: wrong guesses elsewhere do not make them wait.
create table known_devices (
  person_id uuid not null references people (id),
  token_hash bytea not null check (octet_length(token_hash) = 32),
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  primary key (person_id, token_hash)
);
grant select, insert, update, delete on known_devices to {{system}};

-- Challenges are issued without a row; one that was answered is kept until it expires, so that it is answered once.
create table spent_challenges (
  challenge_hash bytea primary key check (octet_length(challenge_hash) = 32),
  expires_at timestamptz(3) not null
);
create index spent_challenges_expiry on spent_challenges (expires_at);
grant select, insert, delete on spent_challenges to {{system}};
