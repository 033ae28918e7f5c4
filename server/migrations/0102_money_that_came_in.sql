-- Money that came in for a payment and did not fit it, in its own currency: the most that is given back. Null of payments that fit, and of
-- those that were looked at before this was kept.
alter table payments add column paid_amount int8 check (paid_amount >= 0);
alter table payments add column paid_currency text check (paid_currency ~ '^[A-Z]{3}$');
alter table payments add check ((paid_amount is null) = (paid_currency is null));
