-- How often what opens the account has changed from within the session, which then goes on under another token: what began by the token
-- before ends, downloads included. A step-up alone does not count.
alter table sessions add column renewals integer not null default 0;
