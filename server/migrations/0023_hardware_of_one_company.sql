-- A piece of hardware belongs to one company at a time, with all its probes: commands reach the whole hardware. Only the
-- database sees the rows of all companies.
-- shared: a period of before this rule, which overlapped another company's. It stays as history and is always over.
alter table assignments add column shared boolean not null default false;

-- Where two companies have hardware now, the one with the lowest probe, or else the earlier one, most likely set it up first and has
-- it in its hands. The other's period ends; its devices keep their history, and need other hardware.
alter table assignments no force row level security;
with owner as (
  select distinct on (imei) imei, company_id from assignments where valid_to is null
  order by imei, probe, valid_from, company_id)
update assignments a set valid_to = greatest(now(), a.valid_from + interval '1 millisecond'), shared = true
from owner where owner.imei = a.imei and a.valid_to is null and a.company_id <> owner.company_id;
update assignments a set shared = true
where a.valid_to is not null and not a.shared and exists (select from assignments b
  where b.imei = a.imei and b.company_id <> a.company_id
    and tstzrange(b.valid_from, b.valid_to) && tstzrange(a.valid_from, a.valid_to));
alter table assignments force row level security;

alter table assignments add constraint assignments_shared_are_over check (not shared or valid_to is not null);
alter table assignments add constraint assignments_one_company
  exclude using gist (imei with =, company_id with <>, tstzrange(valid_from, valid_to) with &&) where (not shared);
