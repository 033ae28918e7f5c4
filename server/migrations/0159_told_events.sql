-- compatible: yes
-- told: the events of the document, in its order, without readings and papers: enough to declare them in error at a receiver where the file is gone.
-- null: a document of before, one of too many events, or one that a later push has withdrawn whatever was no longer true of.
alter table epcis_pushes add column told jsonb;
