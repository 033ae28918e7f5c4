import { AlarmRule } from '@isotherm/contract/alarm-rules.ts'
import { inTenant } from '../src/platform/db/transaction.ts'
import { changing } from './changed.ts'
import { buildDevice } from './device-factory.ts'
import type { TestApp } from './harness.ts'

interface AlarmSpec {
  name?: string
  rule?: object
  severity?: 'warning' | 'critical'
  visibility?: 'private' | 'public'
  deviceIds?: number[]
  /** People who are told in the app. */
  userIds?: string[]
}

/** An alarm as the add verb leaves it; by default of values above 8 °C, watching nothing. */
export async function buildAlarm({ pool, clock }: TestApp, { companyId }: { companyId: number }, spec: AlarmSpec = {}) {
  const rule = AlarmRule.parse(spec.rule ?? { kind: 'value', temperatureMaxC: 8 })
  const name = spec.name ?? 'Too warm'
  const now = clock.now()
  return changing(pool, companyId, async ({ tx }) => {
    const { id } = await tx
      .insertInto('alarms')
      .values({
        company_id: companyId,
        name,
        kind: rule.kind,
        severity: spec.severity ?? 'warning',
        visibility: spec.visibility ?? 'public',
        rule: JSON.stringify(rule),
        rule_from: new Date(0),
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const deviceId of spec.deviceIds ?? [])
      await tx
        .insertInto('alarm_targets')
        .values({ company_id: companyId, alarm_id: id, device_id: deviceId })
        .execute()
    for (const userId of spec.userIds ?? [])
      await tx
        .insertInto('alarm_recipients')
        .values({ company_id: companyId, alarm_id: id, tier: 1, user_id: userId, channels: ['app'] })
        .execute()
    return { id, name }
  })
}

interface TriggerSpec {
  alarmId?: string
  deviceId?: number
  /** Minutes ago. */
  openedAgo?: number
  normalAgo?: number
  isPending?: boolean
  isShelved?: boolean
  severity?: 'warning' | 'critical'
}

/** A trigger as the pipeline leaves it; by default open since 10 minutes ago, of an alarm and a device of its own. */
export async function buildTrigger(test: TestApp, company: { companyId: number }, spec: TriggerSpec = {}) {
  const { companyId } = company
  const alarmId = spec.alarmId ?? (await buildAlarm(test, company)).id
  const deviceId = spec.deviceId ?? Number((await buildDevice(test, company)).id)
  const ago = (minutes: number) => new Date(test.clock.now().getTime() - minutes * 60_000)
  const opened = ago(spec.openedAgo ?? 10)
  const client = await test.pool.connect()
  try {
    await client.query('begin; set local role pipeline')
    const { rows } = await client.query<{ id: string }>(
      `insert into alarm_triggers (company_id, alarm_id, device_id, condition, severity, breach_at, due_at, opened_at, recorded_at,
         normal_at, limit_value, value, peak, peak_at, names, shelved)
       values ($1, $2, $3, 'temperatureMax', $4, $5, $5, $6, $6, $7, 800, 900, 940, $5, '{"alarm": "Too warm", "device": "Fridge"}', $8)
       returning id`,
      [
        companyId,
        alarmId,
        deviceId,
        spec.severity ?? 'warning',
        opened,
        spec.isPending ? null : opened,
        spec.normalAgo === undefined ? null : ago(spec.normalAgo),
        spec.isShelved ?? false,
      ],
    )
    await client.query('commit')
    return { id: rows[0]?.id ?? '', alarmId, deviceId }
  } finally {
    client.release()
  }
}

/** An SMS wallet with 10 units. */
export const buildWallet = ({ pool }: TestApp, { companyId }: { companyId: number }) =>
  inTenant(pool, companyId, ({ tx }) =>
    tx
      .updateTable('wallets')
      .set({ balance: 10 })
      .where('company_id', '=', companyId)
      .where('kind', '=', 'sms')
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
