-- oldest: 0055
-- Nodes of the release before run beside those of the next one, until they are replaced. A migration that ends what older programs need
-- names the oldest migration that a program must have to run on, as above: the newest of the release before.

alter table schema_migrations add column oldest int check (oldest between 1 and version);
