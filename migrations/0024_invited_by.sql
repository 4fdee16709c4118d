-- The organization whose invitation an account was made with: until its person belongs to one, what it asks for counts among what the
-- people of that organization ask for. Null for accounts of before, and those that a provider or the operator has let in.
alter table people add column invited_by uuid references organizations (id);
