-- How many steps of the renewal of the next period (domain/renewal-schedule.ts) are behind a subscription.
alter table subscriptions add column renewal_step int2 not null default 0 check (renewal_step >= 0);

-- While it is set nothing is charged by itself, and nothing expires for it: as after a restore of an older database.
alter table billing_accounts add column paused_at timestamptz;
-- Hears of renewals and payments beside the Admins; null: nobody else does.
alter table billing_accounts add column email text;
create policy pipeline_all on billing_accounts to pipeline using (true) with check (true);
grant select on billing_accounts to pipeline;

-- That a licence ends in so many days was said.
create table licence_notices (
  company_id int4 not null,
  licence_id int4 not null,
  days int2 not null check (days in (30, 7, 1)),
  at timestamptz not null,
  primary key (company_id, licence_id, days),
  foreign key (company_id, licence_id) references licences
);
call isolate('licence_notices', 'select, insert', 'select');

alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check
  check (kind in ('alarmOpened', 'alarmNormal', 'alarmReminder', 'alarmEscalated', 'alarmTest', 'alarmWithdrawn', 'alarmAssigned', 'wallet',
    'deliveryFailed', 'placeEntered', 'placeLeft', 'billing'));
