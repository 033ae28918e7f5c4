import { setTimeout as sleep } from 'node:timers/promises'
import { clockGraceMs } from '../../server/src/domain/alarm-firing.ts'
import { addAlarms } from '../pipeline/alarms.ts'
import { type BenchDevice, makeFleet } from '../pipeline/fleet.ts'
import { ended } from '../pipeline/stage.ts'
import { say } from './say.ts'
import { count, type Scene } from './scene.ts'

const devices = 20
const firstImei = 500_000
const afterMinutes = 5
/** The first is missed so long after its only reading was taken in, and each of the others so long after the one before. */
const firstDueMs = 4_000
const nextDueMs = 500
/** Lanes are taken over within six seconds, their owner asks for silent devices every ten, and a machine has other work. */
const maxLateMs = 20_000

interface Silent {
  device: BenchDevice
  /** The instant of its only reading, and when an alarm must miss the next. */
  at: number
  dueAt: number
}

/** Devices say one thing and no more, while nodes are killed in turns: each must be missed once, not before it is due and soon afterwards. */
export const silentDevices = (scene: Scene): Promise<void> =>
  missEach(scene, async (kill) => {
    await ended(scene.cluster.node(kill % count), 'SIGKILL')
    await sleep(2_000)
    await scene.cluster.restart(kill % count)
    await sleep(2_000)
    scene.notes.faults = kill + 1
  })

/** The same while nothing is done to the nodes: a clock of theirs may be wrong. */
export const silentInPeace = (scene: Scene): Promise<void> => missEach(scene, () => sleep(500))

/** `fault` is done again and again; it hears how often it was. */
async function missEach(scene: Scene, fault: (turn: number) => Promise<void>): Promise<void> {
  const { isOver } = scene
  const silent = await sayAllOnce(scene)
  const lastDue = Math.max(...silent.map(({ dueAt }) => dueAt))
  for (let turn = 0; Date.now() < lastDue || !isOver(); turn++) await fault(turn)
  while (Date.now() < lastDue + maxLateMs && (await triggersOf(scene, silent)).length < silent.length) await sleep(500)
  judge(scene, silent, await triggersOf(scene, silent))
}

async function sayAllOnce({ connect, http }: Scene): Promise<Silent[]> {
  const client = await connect()
  try {
    const fleet = await makeFleet(client, 2, devices, firstImei)
    const companies = [...new Set(fleet.map(({ companyId }) => companyId))]
    await addAlarms(client, companies, [{ kind: 'noData', afterMinutes }])
    const dueOf = (index: number) => Date.now() + firstDueMs + index * nextDueMs
    return await Promise.all(
      fleet.map(async (device, index) => {
        const dueAt = dueOf(index)
        const at = dueAt - afterMinutes * 60_000 - clockGraceMs
        await say(device, http, at, 5)
        return { device, at, dueAt }
      }),
    )
  } finally {
    await client.end()
  }
}

interface TriggerRow {
  company: number
  device: number
  breachAt: number
  recordedAt: number
  told: number
}

async function triggersOf({ connect }: Scene, silent: readonly Silent[]): Promise<TriggerRow[]> {
  const client = await connect()
  try {
    await client.query('begin; set local role pipeline')
    const { rows } = await client.query<TriggerRow>(
      `select company_id as company, device_id as device, (extract(epoch from breach_at) * 1000)::float8 as "breachAt",
         (extract(epoch from recorded_at) * 1000)::float8 as "recordedAt",
         (select count(*)::int from alarm_events e where e.company_id = t.company_id and e.trigger_id = t.id
            and e.kind = 'opened') as told
       from alarm_triggers t where condition = 'noData' and company_id = any($1) and opened_at is not null`,
      [[...new Set(silent.map(({ device }) => device.companyId))]],
    )
    await client.query('commit')
    return rows
  } finally {
    await client.end()
  }
}

function judge({ notes, faults }: Scene, silent: readonly Silent[], rows: readonly TriggerRow[]) {
  const late: number[] = []
  for (const { device, at, dueAt } of silent) {
    const own = rows.filter((row) => row.company === device.companyId && row.device === device.id)
    const [row] = own
    if (!row || own.length > 1) faults.push(`device ${device.imei} was missed ${own.length} times`)
    if (!row) continue
    if (row.breachAt !== at) faults.push(`device ${device.imei} is silent since ${row.breachAt} and not ${at}`)
    if (row.told !== 1) faults.push(`the silence of device ${device.imei} was told ${row.told} times`)
    late.push(row.recordedAt - dueAt)
  }
  const [first, last] = [Math.min(...late), Math.max(...late)]
  if (first < 0) faults.push(`a device was missed ${Math.round(-first)} ms before its time`)
  if (last > maxLateMs) faults.push(`a device was missed ${Math.round(last)} ms too late`)
  Object.assign(notes, { 'silent devices': silent.length, missed: rows.length, 'missed late by, ms': Math.round(last) })
}
