-- An order that has not started is edited: its receivers and items may go.
grant delete on order_receivers, order_items to app;

-- Lists by the delivery date, of whatever state.
create index orders_due on orders (company_id, deliver_by, id);
