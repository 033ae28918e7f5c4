-- Positions that a driver's phone told while an order ran, as far as the driver agreed. They are forgotten soon after the order.
create table driver_positions (
  company_id int4 not null,
  order_id int8 not null,
  driver_id int8 not null,
  at timestamptz not null,
  lat_e7 int4 not null,
  lon_e7 int4 not null,
  accuracy_m int4,
  recorded_at timestamptz not null,
  primary key (company_id, order_id, at),
  foreign key (company_id, order_id) references orders,
  foreign key (company_id, driver_id) references drivers
);
call isolate('driver_positions', 'select, insert, delete', 'select, delete');
