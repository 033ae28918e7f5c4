import type pg from 'pg'
import { AlarmRule } from '../../contract/src/alarm-rules.ts'
import { asCompany } from './companies.ts'

/** A limit with delay and deadband, a second limit with a battery, and silence: what a cold store asks for. */
export const usualRules: readonly object[] = [
  { kind: 'value', temperatureMinC: 2, temperatureMaxC: 8, delayMinutes: 10, deadbandC: 0.5 },
  { kind: 'value', temperatureMaxC: 12, humidityMaxPct: 90, batteryMinPct: 1 },
  { kind: 'noData', afterMinutes: 10_080 },
]

/** Gives every company these alarms, each on all its devices; nobody is told. */
export async function addAlarms(
  client: pg.Client,
  companyIds: readonly number[],
  rules: readonly object[] = usualRules,
): Promise<void> {
  for (const companyId of companyIds) {
    await asCompany(client, companyId, async () => {
      for (const [index, rule] of rules.entries()) {
        const parsed = AlarmRule.parse(rule)
        await client.query(
          `with made as (
             insert into alarms (company_id, name, kind, severity, visibility, rule, rule_from, created_at, updated_at)
             values ($1, $2, $3, 'critical', 'public', $4, '2020-01-01', now(), now()) returning id)
           insert into alarm_targets (company_id, alarm_id, device_id)
           select $1, made.id, devices.id from made, devices where devices.company_id = $1`,
          [companyId, `Alarm ${index}`, parsed.kind, JSON.stringify(parsed)],
        )
      }
    })
  }
}
