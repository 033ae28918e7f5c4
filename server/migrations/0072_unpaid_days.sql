-- Days of grace that nobody paid are taken off the next period that is paid: those from the end of the period on, or, once they were counted
-- or are not to be counted, from this instant on.
alter table subscriptions add column unpaid_from timestamptz;
-- People were told of another rule.
set local role pipeline;
update subscriptions set unpaid_from = ended_at where ended_at is not null;
reset role;
