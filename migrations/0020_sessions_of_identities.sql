-- Which linked identity opened a session: unlinking it ends the session. Not a foreign key, since sessions are kept longer.
-- What the provider vouched for is followed once the sign-in is complete. Sessions of before have neither.
alter table sessions add column identity_id uuid;
alter table sessions add column vouched_email text;
create index sessions_of_identity on sessions (identity_id) where identity_id is not null;

-- When the sign-in began whose address was followed last: one that began earlier, and is completed later, says nothing new.
alter table person_identities add column followed_at timestamptz(3);
