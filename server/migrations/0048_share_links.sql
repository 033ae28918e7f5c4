-- Links by which people without a login read present values: of a device, of a group, or of a wall screen. The token is not
-- kept, only its hash. group_ids: the group of a link, or the groups of a wall in their order, where none means all devices.
-- user_id: the person who made it; the link shows what they may see at the time of reading.
create table share_links (
  company_id int4 not null,
  id int8 generated always as identity,
  kind text not null check (kind in ('device', 'group', 'wall')),
  label text not null,
  device_id int4,
  group_ids int8[] not null default '{}',
  shows_position boolean not null default false,
  shows_chart boolean not null default false,
  shows_private boolean not null default false,
  token_hash bytea not null,
  user_id int8 not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  openings int4 not null default 0,
  last_read_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, user_id) references users,
  foreign key (company_id, device_id) references devices,
  check ((kind = 'device') = (device_id is not null)),
  check (kind = 'wall' or expires_at is not null)
);
create unique index share_links_token on share_links (token_hash, company_id);
create index share_links_device on share_links (company_id, device_id);
call isolate('share_links', 'select, insert, update', 'select, delete');
