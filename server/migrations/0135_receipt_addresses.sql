-- compatible: yes
-- The address that a receipt was mailed to is known for a time; masked_at: since when only its first letter and its domain are.
alter table receipt_mails add masked_at timestamptz, add check (masked_at is null or address is not null);
create index receipt_mails_unmasked on receipt_mails (asked_at) where address is not null and masked_at is null;
create policy pipeline_all on receipt_mails to pipeline using (true) with check (true);
grant select, update on receipt_mails to pipeline;
