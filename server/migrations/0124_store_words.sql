-- compatible: yes
-- Names and texts of the things of the store in further languages; where one is missing, those of store_items are shown.
create table store_words (
  code text not null references store_items on delete cascade,
  locale text not null check (locale in ('en', 'fr', 'es', 'sw')),
  name text not null,
  text text not null,
  primary key (code, locale)
);
