-- compatible: yes
-- Calls that were refused before their key was let in are one row for each key, code and day: whoever has a revoked key cannot fill the log.
alter table api_key_calls add times int4 not null default 1, add is_let_in boolean not null default true;
