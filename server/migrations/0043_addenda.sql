-- An addendum is a note or file that is added after a signature and voids none.
alter table record_notes add column is_addendum boolean not null default false;
alter table record_attachments add column is_addendum boolean not null default false;
