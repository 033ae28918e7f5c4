-- compatible: yes
-- The key of the call that began a page: a call whose server was killed goes on with its page.
alter table card_pages add column call_key bytea;
