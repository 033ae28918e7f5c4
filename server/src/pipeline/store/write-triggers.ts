import { eventOf } from '../../core/alarms/trigger-sql.ts'
import { eventsSql, goneSql, insertSql, lockAlarmsSql, updateSql } from '../../core/alarms/write-triggers-sql.ts'
import { writeTriggerEvents } from '../../core/events/note-events.ts'
import type { Firing } from '../../domain/alarm-firing.ts'
import { keyOf } from '../../domain/watched-alarm.ts'
import type { Batch } from '../batch.ts'
import type { TriggerWrite } from '../evaluate/writes.ts'

const sidesSql = `
insert into alarm_fence_sides (company_id, device_id, fence, side, since)
select s."companyId", s."deviceId", s.fence, s.side, to_timestamp(s.since / 1000)
from jsonb_to_recordset($1::jsonb) as s ("companyId" int4, "deviceId" int4, fence text, side text, since float8)
on conflict (company_id, device_id, fence) do update set side = excluded.side, since = excluded.since`

interface Inserted {
  id: string
  device: string
  key: string
  breachAt: number
}

/** Writes what became of triggers, with what people are to hear of it. Those that end go before those that begin. */
export async function writeTriggers(batch: Batch): Promise<void> {
  if (batch.sides.length > 0) {
    const sides = batch.sides.map(({ device, ...side }) => ({
      companyId: device.companyId,
      deviceId: device.id,
      ...side,
    }))
    await batch.client.query({ name: 'write_sides', text: sidesSql, values: [JSON.stringify(sides)] })
  }
  if (batch.triggers.length === 0) return
  const of = (...kinds: TriggerWrite['kind'][]) => batch.triggers.filter(({ kind }) => kinds.includes(kind))
  const run = async <T extends object>(name: string, text: string, writes: readonly TriggerWrite[]) => {
    if (writes.length === 0) return []
    const rows = JSON.stringify(writes.map(rowOf))
    return (await batch.client.query<T>({ name, text, values: [rows, batch.now] })).rows
  }
  const alarms = new Map(
    batch.triggers.map(({ device, alarm }) => [alarm.id, { companyId: device.companyId, alarmId: alarm.id }]),
  )
  await batch.client.query({ name: 'lock_alarms', text: lockAlarmsSql, values: [JSON.stringify([...alarms.values()])] })
  await run('gone_triggers', goneSql, of('delete', 'withdraw'))
  const updated = await run<{ id: string; firesAgain: boolean }>('update_triggers', updateSql, of('update'))
  const again = new Set(updated.flatMap(({ id, firesAgain }) => (firesAgain ? [id] : [])))
  const inserts = of('insert')
  const known = new Map(
    inserts.map((write) => [placeOf(write.device.key, keyOf(write.alarm.id, write.condition), write.firing), write]),
  )
  for (const row of await run<Inserted>('insert_triggers', insertSql, inserts)) {
    const write = known.get(placeOf(row.device, row.key, row))
    if (write) write.id = row.id
  }
  await writeEvents(batch, again)
}

const placeOf = (device: string, key: string, { breachAt }: Pick<Firing, 'breachAt'>) => `${device} ${key} ${breachAt}`

async function writeEvents({ client, triggers, now }: Batch, again: ReadonlySet<string>) {
  const events = triggers.flatMap((write) => {
    const act = actOf(write, again)
    if (write.id === '' || act === null) return []
    return [{ companyId: write.device.companyId, kind: eventOf(act), alarmId: write.alarm.id, id: write.id }]
  })
  if (events.length > 0)
    await client.query({ name: 'write_alarm_events', text: eventsSql, values: [JSON.stringify(events), now] })
  await writeTriggerEvents(client, triggers.flatMap(eventOfWrite(again)), now)
}

const eventOfAct = {
  open: 'alarm.opened',
  worsen: 'alarm.opened',
  recur: 'alarm.opened',
  recover: 'alarm.normal',
  withdraw: 'alarm.withdrawn',
} as const

/** The event of a write, where the company's feed is on. */
const eventOfWrite = (again: ReadonlySet<string>) => (write: TriggerWrite) => {
  const act = actOf(write, again)
  if (act === null || write.id === '' || !write.device.tellsEvents) return []
  return [{ companyId: write.device.companyId, id: write.id, type: eventOfAct[act] }]
}

/** The act of a write that people may be told of; of a trigger that opened and was over at once, that it opened. */
function actOf({ id, kind, stored, firing }: TriggerWrite, again: ReadonlySet<string>): keyof typeof eventOfAct | null {
  if (again.has(id)) return stored?.normalAt == null ? 'worsen' : 'recur'
  if (kind === 'delete' || firing.openedAt === null) return null
  if (kind === 'withdraw') return 'withdraw'
  if ((stored?.openedAt ?? null) === null) return 'open'
  return stored?.normalAt === null && firing.normalAt !== null ? 'recover' : null
}

const rowOf = (write: TriggerWrite) => ({
  companyId: write.device.companyId,
  alarmId: write.alarm.id,
  deviceId: write.device.id,
  id: write.id || null,
  condition: write.condition,
  breachAt: write.firing.breachAt,
  dueAt: write.firing.dueAt,
  openedAt: write.firing.openedAt,
  normalAt: write.firing.normalAt,
  limit: write.limit,
  value: write.firing.value,
  peak: write.firing.peak,
  peakAt: write.firing.peakAt,
  fence: write.fence,
  cumulative: write.cumulative,
  position: write.position,
  worseBy: write.worseBy,
  isLate: write.isLate,
  isAmended: write.isAmended,
})

/** Notes in the states what the tables have now: for the lane, once the batch is committed. */
export function rememberTriggers({ triggers, sides, states }: Batch): void {
  for (const { kind, device, alarm, condition, id, firing } of triggers) {
    const stored = states.get(device.key)?.alarms.stored
    const key = keyOf(alarm.id, condition)
    if (!stored) continue
    const isCurrent = (kind === 'insert' || kind === 'update') && firing.normalAt === null && id !== ''
    if (isCurrent) stored.set(key, { id, firing })
    else if (stored.get(key)?.id === id) stored.delete(key)
  }
  for (const { device, fence, side } of sides) states.get(device.key)?.alarms.sides.set(fence, side)
}
