-- compatible: yes
-- A rota can hear of orders, too. tier 2: the second recipients, who are told once when nobody acknowledged a warning.
alter table order_recipients drop constraint order_recipients_pkey;
alter table order_recipients alter column user_id drop not null;
alter table order_recipients add rota_id int8, add tier int2 not null default 1 check (tier in (1, 2)),
  add foreign key (company_id, rota_id) references rotas,
  add constraint order_recipients_check check (num_nonnulls(user_id, rota_id) = 1),
  add constraint order_recipients_once unique nulls not distinct (company_id, kind, tier, user_id, rota_id);
alter table dispatch_settings add escalate_minutes int4 check (escalate_minutes between 1 and 1440);
alter table order_warnings add escalated_at timestamptz;
-- The minutes for which nobody had acknowledged the warning that news remind of, where they go to the second recipients.
alter table order_notices add escalated_minutes int4, add check (escalated_minutes is null or reminds_of is not null);
