-- Links of mails and pushes by which a person acknowledges, once, the triggers that the message told of. The token is not
-- kept: it is derived from the installation's secret, this is its hash.
create table acknowledge_links (
  company_id int4 not null,
  token_hash bytea not null,
  user_id int8 not null,
  trigger_ids int8[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (company_id, token_hash),
  foreign key (company_id, user_id) references users
);
create index acknowledge_links_token on acknowledge_links (token_hash);
create index acknowledge_links_over on acknowledge_links (expires_at);
call isolate('acknowledge_links', 'select, update', 'select, insert, delete');
