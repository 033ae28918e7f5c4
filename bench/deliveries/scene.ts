import type pg from 'pg'
import { AlarmRule } from '../../contract/src/alarm-rules.ts'
import { asCompany } from '../pipeline/companies.ts'
import { type BenchDevice, makeFleet } from '../pipeline/fleet.ts'

/** Units each company's wallet begins with. */
export const grantedUnits = 100_000

const rule = (delayMinutes: number) =>
  JSON.stringify(AlarmRule.parse({ kind: 'value', temperatureMaxC: 8, delayMinutes }))

// One alarm for each device, by its place: plain, plain, with an on-delay, with escalation, snoozed; all of a minute.
const alarmsSql = `
with d as (select id, row_number() over (order by id) as place from devices where company_id = $1),
a as (
  insert into alarms (company_id, name, kind, severity, visibility, rule, rule_from, escalate_minutes, snoozed_until, created_at, updated_at)
  select $1, 'A' || id, 'value', 'critical', 'public', case when place % 5 = 2 then $3::jsonb else $2::jsonb end, '2020-01-01',
    case when place % 5 = 3 then 1 end, case when place % 5 = 4 then now() + interval '1 minute' end, now(), now()
  from d returning id, name)
insert into alarm_targets (company_id, alarm_id, device_id) select $1, id, substr(name, 2)::int4 from a`
const peopleSql = `
with u as (
  insert into users (company_id, fullname, email, role, timezone, locale, status, phone)
  select $1::int4, a.name || '.' || tier, a.name || '.' || tier || '.' || $1::int4 || '@bench.test', 'staff', 'Africa/Lagos',
    (array['en', 'fr', 'es', 'sw'])[1 + a.id % 4], 'active', '+23480' || lpad(a.id::text, 6, '0') || tier || (a.id % 50 + 10)
  from alarms a, generate_series(1, 2) tier where a.company_id = $1::int4 and (tier = 1 or a.escalate_minutes is not null)
  returning id, fullname),
who as (select id, split_part(fullname, '.', 1) as name, split_part(fullname, '.', 2)::int2 as tier from u)
insert into alarm_recipients (company_id, alarm_id, tier, user_id, address, channels)
select $1, a.id, who.tier, who.id, null, array['app', 'mail', 'sms'] from who join alarms a on a.company_id = $1 and a.name = who.name
union all
select $1, a.id, who.tier, null, $2 || '/hook/' || a.id || '/' || who.tier, array['webhook'] from who join alarms a on a.company_id = $1 and a.name = who.name`

/** Companies whose every device has its own alarm, its own people and its own webhook: nothing is grouped. */
export async function setScene(
  client: pg.Client,
  { companies, devices, providerUrl }: { companies: number; devices: number; providerUrl: string },
): Promise<BenchDevice[]> {
  const fleet = await makeFleet(client, companies, devices)
  for (const companyId of new Set(fleet.map((device) => device.companyId))) {
    await asCompany(client, companyId, async () => {
      await client.query(alarmsSql, [companyId, rule(0), rule(1)])
      await client.query(peopleSql, [companyId, providerUrl])
      await client.query(`update wallets set balance = $2 where company_id = $1 and kind = 'sms'`, [
        companyId,
        grantedUnits,
      ])
    })
  }
  return fleet
}
