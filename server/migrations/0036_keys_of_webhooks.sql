-- Every company has the key of its webhooks from its beginning, so that asking for it writes nothing. 244 random bits.
alter table companies no force row level security;
alter table webhook_keys no force row level security;
insert into webhook_keys (company_id, secret, created_at)
select company_id,
  'whsec_' || rtrim(translate(encode(sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea), 'base64'), '+/', '-_'), '='), now()
from companies on conflict (company_id) do nothing;
alter table companies force row level security;
alter table webhook_keys force row level security;
