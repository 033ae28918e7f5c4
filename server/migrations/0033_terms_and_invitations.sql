-- The version of the terms that `terms_accepted_at` is about; what was accepted so far was the first.
alter table users add column terms_version int4 not null default 1;
-- When the latest invitation ends; null for who was never invited, or was before this column: then a week after created_at.
alter table users add column invitation_ends_at timestamptz;
