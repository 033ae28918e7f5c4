import type pg from 'pg'
import { AlarmRule } from '../../contract/src/alarm-rules.ts'
import { asCompany } from '../pipeline/companies.ts'
import { type BenchDevice, makeFleet } from '../pipeline/fleet.ts'

export const people = 5
export const grantedUnits = 40

// Every person by every channel, and a webhook; two alarms, so that each device fires twice.
const sql = `
with a as (
  insert into alarms (company_id, name, kind, severity, visibility, rule, rule_from, notify_normal, created_at, updated_at)
  select $1, name, 'value', 'critical', 'public', rule, '2020-01-01', true, now(), now()
  from (values ('Too warm', $2::jsonb), ('Far too warm', $3::jsonb)) as t (name, rule) returning id),
t as (insert into alarm_targets (company_id, alarm_id, device_id) select $1, a.id, d.id from a, devices d where d.company_id = $1),
w as (update wallets set balance = $4, overdraft_units = 0 where company_id = $1 and kind = 'sms'),
u as (
  insert into users (company_id, fullname, email, role, timezone, locale, status, phone)
  select $1, 'Person ' || n, 'p' || n || '.' || $1::int4 || '@bench.test', 'staff', 'Africa/Lagos', (array['en', 'fr', 'es', 'sw'])[1 + n % 4],
    'active', '+23480' || lpad(($1::int4 * 100 + n)::text, 8, '0')
  from generate_series(1, $5::int4) n returning id)
insert into alarm_recipients (company_id, alarm_id, tier, user_id, address, channels)
select $1, a.id, 1, u.id, null, array['app', 'mail', 'sms'] from a, u
union all select $1, a.id, 1, null, $6 || '/hook/' || $1::int4, array['webhook'] from a`

const rule = (temperatureMaxC: number) => JSON.stringify(AlarmRule.parse({ kind: 'value', temperatureMaxC }))

/** Companies of which every device has the same two alarms, which tell the same people. */
export async function setScene(
  client: pg.Client,
  companies: number,
  devices: number,
  hook: string,
): Promise<BenchDevice[]> {
  const fleet = await makeFleet(client, companies, devices)
  for (const companyId of new Set(fleet.map((device) => device.companyId))) {
    await asCompany(client, companyId, async () => {
      await client.query(sql, [companyId, rule(8), rule(9), grantedUnits, people, hook])
    })
  }
  return fleet
}
