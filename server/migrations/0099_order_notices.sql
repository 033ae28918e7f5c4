-- The people who hear that orders are late, or that their goods are out of range, and by which channels. Without any, everybody who may view
-- dispatch hears of it in the app.
create table order_recipients (
  company_id int4 not null references companies,
  kind text not null check (kind in ('late', 'outOfRange')),
  user_id int8 not null,
  channels text[] not null check (cardinality(channels) > 0 and channels <@ array['app', 'mail', 'sms', 'chat']),
  primary key (company_id, kind, user_id),
  foreign key (company_id, user_id) references users
);
call isolate('order_recipients', 'select, insert, delete', 'select');

-- News of an order under way, written in the transaction that found it; taken once it is said who hears of it. receiver_id: the stop, of goods
-- where the box is for one. is_repeat: the same was told within the hour, so that it goes to the app only.
create table order_notices (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  order_id int8 not null,
  kind text not null check (kind in ('late', 'onTime', 'outOfRange', 'inRange')),
  receiver_id int8,
  device_id int4,
  detail jsonb not null,
  is_repeat boolean not null,
  at timestamptz not null,
  taken_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, order_id) references orders,
  foreign key (company_id, receiver_id) references order_receivers,
  foreign key (company_id, device_id) references devices
);
create index order_notices_waiting on order_notices (id) where taken_at is null;
create index order_notices_of_order on order_notices (company_id, order_id, at desc);
call isolate('order_notices', 'select, insert', 'select, insert, update, delete');

-- Since when it was told that a device of an order is out of range.
alter table order_devices add out_told_at timestamptz;
