-- claim_hash: of the code on the label; null for hardware that never got one.
-- owner_id: the company that has the hardware, or had it last. The secret changes when another one claims it.
alter table hardware add column claim_hash bytea;
alter table hardware add column owner_id int4 references companies;

alter table assignments no force row level security;
update hardware h set owner_id = (
  select a.company_id from assignments a where a.imei = h.imei and not a.shared
  order by coalesce(a.valid_to, 'infinity') desc, a.probe limit 1)
where exists (select from assignments a where a.imei = h.imei and not a.shared);
alter table assignments force row level security;
