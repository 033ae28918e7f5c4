-- A company's running order of a plan: made when its first period is paid, and what its licence lasts by. Periods are counted from the
-- anchor, in the zone: period n begins anchor_at + (n - anchor_cycle) months or years. cycle is the last one that is paid.
create table subscriptions (
  company_id int4 not null references companies,
  id int8 generated always as identity,
  licence_id int4 not null,
  plan_id int4 not null references plans,
  cadence text not null check (cadence in ('monthly', 'annually')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- In force from the next period on.
  next_plan_id int4 references plans,
  next_cadence text check (next_cadence in ('monthly', 'annually')),
  state text not null check (state in ('active', 'past_due', 'expired', 'cancelled')),
  anchor_at timestamptz not null,
  anchor_cycle int4 not null default 0 check (anchor_cycle >= 0),
  zone text not null,
  cycle int4 not null default 0 check (cycle >= anchor_cycle),
  period_start timestamptz not null,
  period_end timestamptz not null check (period_end > period_start),
  cancel_at_end boolean not null default false,
  -- The card that pays the next periods; null: somebody pays by a page or a transfer.
  card_id int8,
  -- How many charges of the next period have failed.
  dunning_step int2 not null default 0 check (dunning_step >= 0),
  -- When a job looks at it next; null: no more.
  next_action_at timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, licence_id) references licences,
  check ((next_plan_id is null) = (next_cadence is null)),
  check ((state in ('expired', 'cancelled')) = (ended_at is not null))
);
create unique index subscriptions_of_licence on subscriptions (company_id, licence_id);
create index subscriptions_due on subscriptions (next_action_at) where next_action_at is not null;
call isolate('subscriptions', 'select, insert, update', 'select, update');

-- A purchase may be a period of a plan: of a new subscription, which it then gets, or of one that runs. cycle is the period that it pays.
alter table purchases drop constraint purchases_purpose_check;
alter table purchases add constraint purchases_purpose_check check (purpose in ('units', 'subscription'));
alter table purchases add column plan_id int4 references plans;
alter table purchases add column plan_name text;
alter table purchases add column cadence text check (cadence in ('monthly', 'annually'));
alter table purchases add column subscription_id int8;
alter table purchases add column cycle int4 check (cycle >= 0);
alter table purchases add column period_start timestamptz;
alter table purchases add column period_end timestamptz check (period_end > period_start);
-- What the days of the plan before are worth that are not used, taken off net: a change of plan in the middle of a period.
alter table purchases add column unused int8 check (unused > 0);
-- Not owed any more.
alter table purchases add column voided_at timestamptz;
alter table purchases add check ((purpose = 'subscription') = (plan_id is not null));
alter table purchases add check ((plan_id is null) = (plan_name is null) and (plan_id is null) = (cadence is null));
alter table purchases add check (paid_at is null or voided_at is null);
alter table purchases add foreign key (company_id, subscription_id) references subscriptions;
-- A period is asked for once.
create unique index purchases_of_cycle on purchases (company_id, subscription_id, cycle) where voided_at is null and subscription_id is not null;
-- Nobody asks for what happens by itself.
alter table purchases alter column asked_by drop not null;
