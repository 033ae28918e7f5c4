-- compatible: yes
-- A warning of an order that nobody acknowledges is told again every so many minutes, where the company wants it.
alter table dispatch_settings add reminder_minutes int4 check (reminder_minutes between 5 and 1440);
alter table order_warnings add reminded_at timestamptz;
-- The warning that news remind of; null: it is told for the first time.
alter table order_notices add reminds_of int8, add foreign key (company_id, reminds_of) references order_warnings;
