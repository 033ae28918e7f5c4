import { AlarmRule } from '@isotherm/contract/alarm-rules.ts'
import type pg from 'pg'
import { type RecordWindowRow, recordWindowsSql } from '../src/core/devices/record-windows.ts'
import { conditionsOf } from '../src/domain/alarm-conditions.ts'
import { type Ended, emptyWatch, type WatchedReading, watch } from '../src/domain/alarm-watch.ts'
import { windowOf } from '../src/domain/outside-time.ts'
import type { Difference } from './recompute.ts'

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

interface TriggerRow {
  key: string
  breachAt: number
  openedAt: number | null
  normalAt: number | null
  peak: number
  withdrawn: boolean
  told: number
}

/**
 * Computes what alarm_triggers must hold for value alarms that were always there and never snoozed, worked out by the rules from all
 * readings of a device in the order of time; and that every one that opened was told of exactly once. At most 20.
 */
export async function findTriggerDifferences(client: pg.ClientBase, holdMs: number): Promise<Difference[]> {
  await client.query('begin; set local role pipeline')
  const differences: Difference[] = []
  try {
    const { rows: alarms } = await client.query<{ companyId: number; id: string; rule: unknown }>(
      `select company_id as "companyId", id, rule from alarms where kind = 'value'`,
    )
    const { rows: devices } = await client.query<{ companyId: number; id: number }>(
      'select company_id as "companyId", device_id as id from device_latest order by 1, 2',
    )
    for (const device of devices) {
      const own = alarms.filter(({ companyId }) => companyId === device.companyId)
      const wanted = await workOut(client, device, own, holdMs)
      const found = await storedTriggers(client, device)
      const texts = found
        .filter(({ withdrawn }) => !withdrawn)
        .map(({ key, breachAt, openedAt, normalAt, peak }) => JSON.stringify([key, breachAt, openedAt, normalAt, peak]))
      for (const text of wanted)
        if (!texts.includes(text)) differences.push({ what: 'missing', expected: text, found: device })
      for (const text of texts)
        if (!wanted.includes(text)) differences.push({ what: 'too many', expected: device, found: text })
      for (const { key, openedAt, told } of found)
        if (told !== (openedAt === null ? 0 : 1)) differences.push({ what: `told of ${key}`, expected: 1, found: told })
      if (differences.length >= 20) break
    }
  } finally {
    await client.query('rollback')
  }
  return differences
}

/**
 * Leaves out what only the clock knows: the last breach of a device whose delay is over without a further reading is pending by its readings, and
 * opened by the clock.
 */
export function exceptOpenedByClock(differences: readonly Difference[]): Difference[] {
  /** A trigger that has not ended, without the instant at which it opened. */
  const lastOf = (
    { what, expected, found }: Difference,
    wanted: string,
  ): [last: string, openedAt: number | null] | null => {
    if (what !== wanted) return null
    const [text, device] = wanted === 'missing' ? [expected, found] : [found, expected]
    const [key, breachAt, openedAt, normalAt, peak] = JSON.parse(String(text))
    return normalAt === null ? [JSON.stringify([device, key, breachAt, peak]), openedAt] : null
  }
  const pending = differences.flatMap((one) => {
    const [last, openedAt] = lastOf(one, 'missing') ?? []
    return last && openedAt === null ? [last] : []
  })
  const opened = differences.flatMap((one) => lastOf(one, 'too many')?.[0] ?? [])
  const both = new Set(pending.filter((last) => opened.includes(last)))
  return differences.filter((one) => !both.has((lastOf(one, 'missing') ?? lastOf(one, 'too many'))?.[0] ?? ''))
}

async function workOut(
  client: pg.ClientBase,
  device: { companyId: number; id: number },
  alarms: readonly { id: string; rule: unknown }[],
  holdMs: number,
): Promise<string[]> {
  const { rows } = await client.query<Omit<WatchedReading, 'fix'>>(
    `select ${ms('measured_at')} as at, temperature_centi as temperature, humidity_centi as humidity,
       battery_pct * 100 as battery from readings where company_id = $1 and device_id = $2 order by measured_at`,
    [device.companyId, device.id],
  )
  const { rows: wanted } = await client.query<{ records: RecordWindowRow[] | null }>(
    `select ${recordWindowsSql} as records from (select $1::int4 as company_id, $2::int4 as device_id) as wanted`,
    [device.companyId, device.id],
  )
  const records = (wanted[0]?.records ?? []).map(windowOf)
  const state = emptyWatch()
  const ended: Ended[] = []
  const watched = alarms.map(({ id, rule }) => ({
    id,
    conditions: conditionsOf(AlarmRule.parse(rule), new Map()),
    schedule: null,
    from: 0,
    records,
  }))
  const readings = rows.map((row) => ({ ...row, fix: null }))
  watch(watched, state, readings, () => holdMs, ended)
  return [...ended, ...[...state.firings].map(([key, firing]) => ({ key, firing }))].map(({ key, firing }) =>
    JSON.stringify([key, firing.breachAt, firing.openedAt, firing.normalAt, firing.peak]),
  )
}

async function storedTriggers(client: pg.ClientBase, device: { companyId: number; id: number }): Promise<TriggerRow[]> {
  const { rows } = await client.query<TriggerRow>(
    `select alarm_id || '/' || condition as key, ${ms('breach_at')} as "breachAt", ${ms('opened_at')} as "openedAt",
       ${ms('normal_at')} as "normalAt", peak, withdrawn_at is not null as withdrawn,
       (select count(*)::int from alarm_events e where e.company_id = t.company_id and e.trigger_id = t.id
          and e.kind = 'opened') as told
     from alarm_triggers t where company_id = $1 and device_id = $2 and condition <> 'noData'`,
    [device.companyId, device.id],
  )
  return rows
}
