-- The board of a day shows what ended on it.
create index orders_ended on orders (company_id, ended_at) where ended_at is not null;
create index orders_cancelled on orders (company_id, cancelled_at) where cancelled_at is not null;
