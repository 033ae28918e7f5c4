-- A small picture of a thing, shown beside its name.
alter table store_items add column picture bytea check (octet_length(picture) between 1 and 65536);
alter table store_items add column picture_type text check (picture_type in ('png', 'jpg', 'webp'));
alter table store_items add check ((picture is null) = (picture_type is null));
