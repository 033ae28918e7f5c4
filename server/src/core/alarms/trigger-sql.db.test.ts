import { expect, test } from 'vitest'
import { anAlarm } from '../../../test/alarm-factory.ts'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import {
  type Act,
  type AlarmSettings,
  apply,
  type Mark,
  stateOf,
  type TriggerLife,
} from '../../domain/trigger-lifecycle.ts'
import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import { endSnoozes, lifeOf, takeDueSteps, writeClosed, writeHandled } from './trigger-sql.ts'

// The SQL against the table that it is made of, for every combination of marks, planned messages and snoozes.

const t = describeApp()

const minute = 60_000
const base = { isDeleted: false, notifyNormal: true, reminderMinutes: 30, escalateMinutes: 5 }
const alarmsAt = (now: number): AlarmSettings[] => [
  { ...base, snoozedUntil: null },
  { ...base, snoozedUntil: now + 60 * minute },
  { ...base, snoozedUntil: now - 3 * minute },
  { ...base, escalateMinutes: null, reminderMinutes: null, snoozedUntil: now - 3 * minute },
]

function subsets(marks: readonly Mark[]): Mark[][] {
  const all: Mark[][] = [[]]
  for (const mark of marks) all.push(...all.map((each) => [...each, mark]))
  return all
}

function livesAt(now: number): TriggerLife[] {
  const sets = [
    [],
    ...subsets(['normal', 'withdrawn', 'acknowledged', 'resolved']).map((each): Mark[] => ['opened', ...each]),
  ]
  const remindTimes = [null, now - minute, now + minute]
  const escalateTimes = [...remindTimes, now - 10 * minute, Number.POSITIVE_INFINITY]
  return sets.flatMap((set) =>
    [false, true].flatMap((isShelved) =>
      remindTimes.flatMap((remindAt) =>
        escalateTimes.map((escalateAt) => ({
          marks: Object.fromEntries(set.map((mark) => [mark, now - 20 * minute])),
          isShelved,
          remindAt,
          escalateAt,
        })),
      ),
    ),
  )
}

interface Stored {
  id: string
  alarmId: string
  life: TriggerLife
  alarm: AlarmSettings
}

async function build(): Promise<{ companyId: number; stored: Stored[] }> {
  const company = await buildUser(t)
  const { companyId } = company
  const device = await aDevice(t, { companyId })
  const now = t.clock.now().getTime()
  const stored: Stored[] = []
  for (const alarm of alarmsAt(now)) {
    const { id: alarmId } = await anAlarm(t, company)
    await t.change(
      companyId,
      'update alarms set notify_normal = true, reminder_minutes = $3, escalate_minutes = $4, snoozed_until = $5 where company_id = $1 and id = $2',
      [
        companyId,
        alarmId,
        alarm.reminderMinutes,
        alarm.escalateMinutes,
        alarm.snoozedUntil && new Date(alarm.snoozedUntil),
      ],
    )
    const lives = livesAt(now)
    const time = (at: number | null | undefined) => (at === Number.POSITIVE_INFINITY ? 'infinity' : at && new Date(at))
    const rows = lives.map(({ marks, isShelved, remindAt, escalateAt }, index) => ({
      condition: `c${index}`,
      ...{ opened: time(marks.opened), normal: time(marks.normal), withdrawn: time(marks.withdrawn) },
      ...{ acknowledged: time(marks.acknowledged), resolved: time(marks.resolved) },
      ...{ shelved: isShelved, remind: time(remindAt), escalate: time(escalateAt) },
    }))
    const ids = await asPipeline(t.pool, ({ client }) =>
      client.query<{ id: string }>(
        `insert into alarm_triggers (company_id, alarm_id, device_id, condition, severity, breach_at, due_at, names, opened_at, normal_at,
           withdrawn_at, acknowledged_at, resolved_at, shelved, remind_at, escalate_at)
         select $1, $2, $3, condition, 'warning', $4, $4, '{}', opened, normal, withdrawn, acknowledged, resolved, shelved, remind, escalate
         from jsonb_to_recordset($5) as r (condition text, opened timestamptz, normal timestamptz, withdrawn timestamptz,
           acknowledged timestamptz, resolved timestamptz, shelved bool, remind timestamptz, escalate timestamptz) returning id`,
        [companyId, alarmId, device.id, t.clock.now(), JSON.stringify(rows)],
      ),
    )
    stored.push(...lives.map((life, index) => ({ id: ids.rows[index]?.id ?? '', alarmId, life, alarm })))
  }
  return { companyId, stored }
}

interface Outcome {
  life: TriggerLife
  events: string[]
}

/** The first of the acts that leads anywhere. */
function take(
  outcome: Outcome,
  acts: readonly Act[],
  alarm: AlarmSettings,
  now: number,
  otherwise = outcome.life,
): Outcome {
  for (const act of acts) {
    const after = apply(act, outcome.life, now, alarm)
    if (after) return { life: after.life, events: [...outcome.events, ...(after.event ? [after.event] : [])] }
  }
  return { ...outcome, life: otherwise }
}

function dueSteps({ life, alarm }: Stored, now: number): Outcome {
  const isOver = alarm.snoozedUntil !== null && alarm.snoozedUntil <= now
  let outcome: Outcome = { life, events: [] }
  if (isOver) outcome = take(outcome, ['unshelve', 'resume'], alarm, now)
  const settings = isOver ? { ...alarm, snoozedUntil: null } : alarm
  if ((life.remindAt ?? now + 1) <= now)
    outcome = take(outcome, ['remind'], settings, now, { ...outcome.life, remindAt: null })
  if ((outcome.life.escalateAt ?? now + 1) <= now)
    outcome = take(outcome, ['escalate', 'postpone'], settings, now, { ...outcome.life, escalateAt: null })
  return outcome
}

const cases: Record<
  string,
  { run(companyId: number, stored: Stored[]): Promise<void>; expected(one: Stored, now: number): Outcome }
> = {
  acknowledged: {
    run: (companyId, stored) =>
      inTenant(t.pool, companyId, ({ tx }) =>
        writeHandled.acknowledge(
          tx,
          companyId,
          stored.map(({ id }) => id),
          { by: { id: '1', name: 'A' }, now: t.clock.now() },
        ),
      ),
    expected: ({ life, alarm }, now) => take({ life, events: [] }, ['acknowledge'], alarm, now),
  },
  resolved: {
    run: (companyId, stored) =>
      inTenant(t.pool, companyId, ({ tx }) =>
        writeHandled.resolve(
          tx,
          companyId,
          stored.map(({ id }) => id),
          { by: { id: '1', name: 'A' }, now: t.clock.now() },
        ),
      ),
    expected: ({ life, alarm }, now) => take({ life, events: [] }, ['resolve'], alarm, now),
  },
  'closed with their alarms': {
    run: (companyId, stored) =>
      inTenant(t.pool, companyId, ({ tx }) =>
        writeClosed(
          tx,
          companyId,
          stored.map(({ alarmId }) => alarmId),
          { by: { id: null, name: 'system' }, now: t.clock.now() },
        ),
      ),
    expected: ({ life, alarm }, now) => take({ life, events: [] }, ['close'], alarm, now),
  },
  'woken by hand': {
    run: (companyId, stored) =>
      inTenant(t.pool, companyId, ({ tx }) =>
        endSnoozes(
          tx,
          companyId,
          stored.map(({ alarmId }) => alarmId),
          t.clock.now(),
        ),
      ),
    expected: ({ life, alarm }, now) =>
      alarm.snoozedUntil === null
        ? { life, events: [] }
        : take({ life, events: [] }, ['unshelve', 'resume'], alarm, now),
  },
  due: {
    // A round takes a thousand of each; what was taken is due no more.
    run: async () => {
      for (let round = 0; round < 4; round++) await asPipeline(t.pool, ({ tx }) => takeDueSteps(tx, t.clock.now()))
    },
    expected: dueSteps,
  },
}

test.each(Object.keys(cases))('triggers that are %s become what the table says', async (name) => {
  const { companyId, stored } = await build()
  const { run, expected } = cases[name] as (typeof cases)[string]
  const now = t.clock.now().getTime()
  await run(companyId, stored)
  const { tx: rows, events } = await asPipeline(t.pool, async ({ tx, client }) => ({
    tx: await tx.selectFrom('alarm_triggers').selectAll().where('company_id', '=', companyId).execute(),
    events: (
      await client.query<{ trigger_id: string; kind: string }>(
        'select trigger_id, kind from alarm_events where company_id = $1 order by id',
        [companyId],
      )
    ).rows,
  }))
  const byId = new Map(rows.map((row) => [row.id, row]))
  const told = Map.groupBy(events, ({ trigger_id }) => trigger_id)
  const shown = ({ marks, ...life }: TriggerLife) => ({
    ...life,
    state: stateOf(marks),
    marks: Object.entries(marks)
      .flatMap(([mark, at]) => (at == null ? [] : [`${mark} ${(at - now) / minute}`]))
      .sort(),
  })
  let changes = 0
  for (const one of stored) {
    const row = byId.get(one.id)
    const want = expected(one, now)
    const found = { life: row && shown(lifeOf(row)), events: (told.get(one.id) ?? []).map(({ kind }) => kind).sort() }
    expect(found, JSON.stringify(one)).toEqual({ life: shown(want.life), events: want.events.toSorted() })
    if (want.life !== one.life) changes++
  }
  expect(changes).toBeGreaterThan(50)
})
