-- The orders that are not over are few beside all that a company ever had: their stops and devices are found without those of the past.
create index order_receivers_open on order_receivers (company_id, order_id) where settled_at is null;
-- Orders that were made in the same instant, by an import, have one sequence, too.
drop index orders_newest;
create index orders_newest on orders (company_id, created_at desc, id desc);
