-- compatible: yes
-- Whether people who come in by single sign-on are asked for Isotherm's own second factor as well.
alter table sso_connections add column asks_factor boolean not null default false;
