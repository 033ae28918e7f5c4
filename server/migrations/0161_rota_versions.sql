-- compatible: yes
-- The number of changes of a rota: a change names the one that it was made from.
alter table rotas add column version int4 not null default 1;
