-- Where a passkey was added, as its browser signed it: scheme, host and port. A relying party's id has no port, so that a
-- browser uses the same passkey for a page on any port of the host. Null for passkeys of before: they keep the origin of their
-- next use.
alter table passkeys add column origin text;
