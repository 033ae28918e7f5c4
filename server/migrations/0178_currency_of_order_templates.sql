-- compatible: yes
-- The currency of the amounts of a template; null: it was kept before, and nobody knows.
alter table order_templates add column currency text;
