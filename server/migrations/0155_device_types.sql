-- compatible: yes
-- What is known of a type of hardware: the number under which the PPECB of South Africa approved it as a logger for citrus to the EU.
create table device_types (
  type text primary key check (length(type) between 1 and 100),
  ppecb_approval_no text not null check (length(ppecb_approval_no) between 1 and 60)
);
grant select on device_types to app;
