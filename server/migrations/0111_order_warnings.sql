-- compatible: yes
-- A warning that somebody acknowledges: a stop of an order under way will be late, or goods are out of range. began_at is the mark of the stop
-- (late_told_at) or of the order's device (out_told_at): where that has another one, or none, the warning is over. over_at: noted by a sweep.
create table order_warnings (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  order_id int8 not null,
  kind text not null check (kind in ('late', 'outOfRange')),
  receiver_id int8,
  device_id int4,
  detail jsonb not null,
  began_at timestamptz not null,
  acknowledged_at timestamptz,
  acknowledged_by int8,
  note text,
  over_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, order_id) references orders,
  foreign key (company_id, receiver_id) references order_receivers,
  foreign key (company_id, device_id) references devices,
  foreign key (company_id, acknowledged_by) references users,
  check ((acknowledged_at is null) = (acknowledged_by is null)),
  check (case kind when 'late' then receiver_id is not null else device_id is not null end)
);
create index order_warnings_of_order on order_warnings (company_id, order_id, id desc);
create index order_warnings_lasting on order_warnings (company_id, id) where over_at is null;
call isolate('order_warnings', 'select, insert, update', 'select, insert, update');
