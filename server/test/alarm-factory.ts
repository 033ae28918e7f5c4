import type { NewRecipient } from '@isotherm/contract/alarm-recipients.ts'
import { AlarmRule } from '@isotherm/contract/alarm-rules.ts'
import { insertAlarm } from '../src/core/alarms/alarm-queries.ts'
import { noteCompany } from '../src/core/devices/settings-changes.ts'
import { columnsOf } from '../src/features/alarms/columns.ts'
import { replaceRecipients } from '../src/features/alarms/recipient-queries.ts'
import { replaceTargets } from '../src/features/alarms/target-queries.ts'
import type { Batch } from '../src/pipeline/batch.ts'
import { writeTriggers } from '../src/pipeline/store/write-triggers.ts'
import { asPipeline, inTenant } from '../src/platform/db/transaction.ts'
import { aDevice } from './device-factory.ts'
import { inCompany, type Stage } from './factories.ts'

interface AlarmSpec {
  name?: string
  rule?: object
  severity?: 'warning' | 'critical'
  visibility?: 'private' | 'public'
  deviceIds?: number[]
  groupIds?: string[]
  /** People who are told in the app. */
  userIds?: string[]
  recipients?: NewRecipient[]
  escalation?: NewRecipient[]
  escalateMinutes?: number
  reminderMinutes?: number
  notifyNormal?: boolean
  snoozedUntil?: Date | null
  /** Since when it watches what it watches; default: always. */
  watchesFrom?: Date
}

/** An alarm as the add verb leaves it; by default of values above 8 °C, watching nothing. Nobody is known to have named its addresses. */
export function anAlarm(test: Stage, { companyId }: { companyId: number }, spec: AlarmSpec = {}) {
  const rule = AlarmRule.parse(spec.rule ?? { kind: 'value', temperatureMaxC: 8 })
  const { name = 'Too warm', severity = 'warning', visibility = 'public', notifyNormal = false } = spec
  const {
    escalateMinutes = null,
    reminderMinutes = null,
    watchesFrom = new Date(0),
    deviceIds = [],
    groupIds = [],
  } = spec
  const columns = columnsOf({
    name,
    severity,
    visibility,
    notifyNormal,
    escalateMinutes,
    reminderMinutes,
    schedule: null,
  })
  const lists = {
    recipients: [
      ...(spec.userIds ?? []).map((userId) => ({ userId, channels: ['app' as const] })),
      ...(spec.recipients ?? []),
    ],
    escalation: spec.escalation ?? [],
  }
  return inCompany(test, companyId, async (ctx) => {
    const now = test.clock.now()
    const id = await insertAlarm(ctx, {
      ...columns,
      kind: rule.kind,
      rule: JSON.stringify(rule),
      rule_from: new Date(0),
      snoozed_until: spec.snoozedUntil ?? null,
      created_at: now,
      updated_at: now,
    })
    const then = { ...ctx, clock: { now: () => watchesFrom } }
    await replaceTargets(then, id, { deviceIds: deviceIds.map(String), groupIds })
    for (const list of ['recipients', 'escalation'] as const)
      await replaceRecipients(ctx, id, list, lists[list], namedByNobody)
    await noteCompany(ctx)
    return { id, name }
  })
}

const namedByNobody = { get: () => null } as unknown as ReadonlyMap<string, null>

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
export async function aTrigger(test: Stage, company: { companyId: number }, spec: TriggerSpec = {}) {
  const { companyId } = company
  const alarmId = spec.alarmId ?? (await anAlarm(test, company, { severity: spec.severity ?? 'warning' })).id
  const deviceId = spec.deviceId ?? (await aDevice(test, { ...company, name: 'Fridge' })).id
  const ago = (minutes: number) => test.clock.now().getTime() - minutes * 60_000
  const openedAt = ago(spec.openedAgo ?? 10)
  const normalAt = spec.normalAgo === undefined ? null : ago(spec.normalAgo)
  const life = { breachAt: openedAt, dueAt: openedAt, openedAt: spec.isPending ? null : openedAt, normalAt: null }
  const firing = { ...life, lastAt: openedAt, lastHoldMs: 0, value: 900, peak: 940, peakAt: openedAt }
  const trigger = {
    ...{
      kind: 'insert',
      device: { key: `${companyId}:${deviceId}`, companyId, id: deviceId },
      alarm: { id: alarmId },
      condition: 'temperatureMax',
    },
    ...{ id: '', stored: null, firing, limit: 800, cumulative: null, fence: null, position: null },
    ...{ isAmended: false, isLate: false },
  }
  const write = (now: number, triggers: object[]) =>
    asPipeline(test.pool, ({ client }) => writeTriggers({ client, now, sides: [], triggers } as unknown as Batch))
  const alarmOf = { company_id: companyId, id: alarmId }
  // The end of its snooze that an alarm has, for as long as the trigger is written.
  const before = await inTenant(test.pool, companyId, async ({ tx }) => {
    const alarm = tx
      .selectFrom('alarms')
      .select('snoozed_until')
      .where(({ and }) => and(alarmOf))
    return (await alarm.executeTakeFirstOrThrow()).snoozed_until
  })
  const snooze = (until: Date | null) =>
    inTenant(test.pool, companyId, ({ tx }) =>
      tx
        .updateTable('alarms')
        .set({ snoozed_until: until })
        .where(({ and }) => and(alarmOf))
        .execute(),
    )
  await snooze(spec.isShelved ? new Date(openedAt + 1) : null)
  await write(openedAt, [trigger])
  await snooze(before)
  const stored = firing
  if (normalAt !== null)
    await write(normalAt, [{ ...trigger, kind: 'update', stored, firing: { ...firing, normalAt } }])
  return { id: trigger.id, alarmId, deviceId }
}
/** An SMS wallet with 10 units. */
export const buildWallet = ({ pool }: Stage, { companyId }: { companyId: number }) =>
  inTenant(pool, companyId, ({ tx }) =>
    tx
      .updateTable('wallets')
      .set({ balance: 10 })
      .where('company_id', '=', companyId)
      .where('kind', '=', 'sms')
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
