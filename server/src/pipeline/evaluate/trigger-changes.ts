import { type Condition, cumulativeOf } from '../../domain/alarm-conditions.ts'
import type { Firing } from '../../domain/alarm-firing.ts'
import type { Ended } from '../../domain/alarm-watch.ts'
import { firstAfter } from '../../domain/first-after.ts'
import type { Outside } from '../../domain/outside-time.ts'
import type { Batch, Row } from '../batch.ts'
import type { DeviceAlarm } from '../ingest/watched-alarms.ts'
import type { DeviceState, StoredFiring } from './device-state.ts'
import { lastFix } from './load-alarms.ts'
import type { TriggerWrite } from './writes.ts'

export interface Stored extends StoredFiring {
  key: string
}

/** The device's current triggers as the table has them. */
export const storedOf = ({ alarms }: DeviceState): Stored[] =>
  [...alarms.stored].map(([key, stored]) => ({ key, ...stored }))

/**
 * Compares what there is to be, the firings that ended and the current ones, with what is stored, and leaves the
 * differences to the batch. A trigger is known again by its beginning; by late data also by the time it covers. Stored ones that never opened vanish; others are withdrawn.
 */
export async function noteTriggers(
  batch: Batch,
  { state, rows }: { state: DeviceState; rows: readonly Row[] },
  stored: readonly Stored[],
  ended: readonly Ended[],
  { isReplay = false } = {},
): Promise<void> {
  noteSides(batch, state)
  noteOutside(batch, state)
  if (ended.length === 0 && stored.length === 0 && state.alarms.watch.firings.size === 0) return
  const firings: Ended[] = [...ended, ...[...state.alarms.watch.firings].map(([key, firing]) => ({ key, firing }))]
  const unmatched = new Set(stored)
  const matches = new Map<Ended, Stored>()
  const { turns } = batch
  const matchBy = async (nameOf: (one: Ended) => string, fits: (a: Firing, b: Firing) => boolean) => {
    const byName = Map.groupBy(unmatched, nameOf)
    for (const wanted of firings) {
      if (matches.has(wanted)) continue
      const found = byName
        .get(nameOf(wanted))
        ?.find((one) => unmatched.has(one) && staysOpened(one.firing, wanted.firing) && fits(one.firing, wanted.firing))
      if (turns.isOver) await turns.next()
      if (!found) continue
      matches.set(wanted, found)
      unmatched.delete(found)
    }
  }
  await matchBy(
    ({ key, firing }) => `${key} ${firing.breachAt}`,
    () => true,
  )
  if (isReplay) await matchBy(({ key }) => key, overlaps)
  const write = writerOf(batch, state, rows)
  for (const { key, id, firing } of unmatched)
    write(firing.openedAt === null ? 'delete' : 'withdraw', key, id, firing, firing, false)
  for (const wanted of firings) {
    if (turns.isOver) await turns.next()
    const known = matches.get(wanted)
    if (!known) write('insert', wanted.key, '', null, wanted.firing, false)
    else if (differs(known.firing, wanted.firing))
      write(
        'update',
        wanted.key,
        known.id,
        known.firing,
        wanted.firing,
        isReplay && isChangedPast(known.firing, wanted.firing),
      )
  }
}

/** People were notified of an open trigger: it never becomes pending again. */
const staysOpened = (before: Firing, after: Firing) => before.openedAt === null || after.openedAt !== null
const end = (firing: Firing) => firing.normalAt ?? Number.POSITIVE_INFINITY
const overlaps = (a: Firing, b: Firing) => a.breachAt <= end(b) && b.breachAt <= end(a)
const kept = ['breachAt', 'dueAt', 'openedAt', 'normalAt', 'peak', 'peakAt', 'value'] as const
const differs = (a: Firing, b: Firing) => kept.some((name) => a[name] !== b[name])
/** Not merely going on: something that was recorded was not so. */
const isChangedPast = (before: Firing, after: Firing) =>
  before.breachAt !== after.breachAt ||
  before.value !== after.value ||
  (before.openedAt !== null && before.openedAt !== after.openedAt) ||
  (before.normalAt !== null && before.normalAt !== after.normalAt)

function writerOf(batch: Batch, state: DeviceState, rows: readonly Row[]) {
  const { device } = state
  const fixes = rows.filter(({ reading }) => reading.latE7 !== null)
  return (
    kind: TriggerWrite['kind'],
    key: string,
    id: string,
    stored: Firing | null,
    firing: Firing,
    isAmended: boolean,
  ) => {
    const [alarmId = '', name = ''] = key.split('/')
    const alarm = device.alarms.find((one) => one.id === alarmId) ?? gone(alarmId)
    const condition = alarm.conditions.find((one) => one.name === name)
    const holdMs = Math.max(firing.lastHoldMs, 60_000)
    batch.triggers.push({
      kind,
      device,
      alarm,
      condition: name,
      id,
      stored,
      firing,
      limit: condition ? limitOf(condition) : null,
      cumulative: condition ? cumulativeOf(condition) : null,
      fence: condition?.kind === 'fence' ? condition.fence.name : null,
      position: condition?.kind === 'fence' ? positionOf(state) : placeOf(state, fixes, firing.breachAt),
      isAmended,
      isLate: firing.openedAt !== null && name !== 'noData' && batch.now - firing.openedAt > holdMs,
    })
  }
}

/** The alarm no longer targets this device, so its visibility is unknown here: treat it as private (Admins only). */
const gone = (id: string): DeviceAlarm => ({
  id,
  conditions: [],
  schedule: null,
  from: 0,
  isPrivate: true,
  severity: 'warning',
})

const limitOf = (condition: Condition) =>
  condition.kind === 'value' ? condition.limit : condition.kind === 'silence' ? condition.afterMs / 60_000 : null

function positionOf(state: DeviceState) {
  const fix = state.alarms.watch.sides.anyFix ?? lastFix(state)
  return fix ? { lat: fix.lat, lon: fix.lon } : null
}

/** Where the device was when it began, by its newest fix of the day before; null where there is none. */
function placeOf(state: DeviceState, fixes: readonly Row[], at: number) {
  const isOfThen = (fixAt: number) => fixAt <= at && at - fixAt <= dayMs
  const row = fixes[firstAfter(fixes, at) - 1]
  if (row?.reading.latE7 != null && row.reading.lonE7 != null && isOfThen(row.at))
    return { lat: row.reading.latE7 / 1e7, lon: row.reading.lonE7 / 1e7 }
  const fix = lastFix(state)
  return fix && isOfThen(fix.at) ? { lat: fix.lat, lon: fix.lon } : null
}
const dayMs = 86_400_000

function noteOutside(batch: Batch, { device, alarms }: DeviceState) {
  const { totals } = alarms.watch
  if (totals.size === 0 && alarms.totals.size === 0) return
  const note = (key: string, counted: Outside | null) => {
    const [alarmId = '', condition = ''] = key.split('/')
    batch.outside.push({ device, alarmId, condition, counted })
  }
  for (const [key, { counted }] of totals) if (alarms.totals.get(key) !== counted) note(key, counted)
  for (const key of alarms.totals.keys()) if (!totals.has(key)) note(key, null)
}

function noteSides(batch: Batch, { device, alarms }: DeviceState) {
  for (const [fence, { side, fix }] of alarms.watch.sides.takeChanged())
    if (alarms.sides.get(fence) !== side) batch.sides.push({ device, fence, side, since: fix?.at ?? batch.now })
}
