-- compatible: yes
-- Lists ask these for each of their rows, and all of the table was read for each: orders for their latest insurance, also one that was refused or
-- is void; origins and destinations for their open shipments.
create index order_insurances_of_order on order_insurances (company_id, order_id);
create index shipments_of_origin on shipments (company_id, origin_id) where state in ('pending', 'ongoing');
create index shipments_of_destination on shipments (company_id, destination_id) where state in ('pending', 'ongoing');
