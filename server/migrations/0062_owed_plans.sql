-- Whether the next period of a plan of theirs is not paid: written with subscription_until.
alter table companies add column subscription_owed boolean not null default false;
