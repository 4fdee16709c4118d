-- The session that asked for it, to link or to step up: nobody else who uses the browser goes on with it. Not a foreign key, since it
-- is kept for minutes. Of what is under way at this moment nobody knows whose it is: it is asked again.
delete from pending_identities;
alter table pending_identities add column session_id uuid;
alter table pending_identities add check ((session_id is null) = (purpose = 'sign_in'));
