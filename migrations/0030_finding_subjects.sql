-- The page or database in which a finding was observed last, where its check looks at one that may be another tomorrow: only a
-- scan that looked at the same again resolves it. Null: the check looks at the whole source.
alter table findings add column subject text check (length(subject) between 1 and 2048);
grant update (subject) on findings to {{app}};
