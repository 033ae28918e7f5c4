-- compatible: yes
-- The next message of an endpoint, in its order. Many are due at one instant: without the id each take read and sorted all of these.
create index webhook_deliveries_next on webhook_deliveries (company_id, endpoint_id, next_at, id) where next_at is not null;
drop index webhook_deliveries_due;
