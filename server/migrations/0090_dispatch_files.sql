-- How many things the rows of a file are: several rows may be one order.
alter table bulk_uploads add column makes int4;
