-- compatible: yes
-- An endpoint whose last answer was long in coming shares its turns with those that fail.
alter table webhook_endpoints add column is_slow boolean not null default false;
