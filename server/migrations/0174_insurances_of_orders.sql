-- compatible: yes
-- Lists of orders ask for the latest insurance of each order, also one that was refused or is void: all of the table was read for each.
create index order_insurances_of_order on order_insurances (company_id, order_id);
