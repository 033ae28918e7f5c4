import type { LiveDevice } from '@isotherm/contract/live.ts'
import { z } from 'zod'
import { switchedOn } from '../../core/devices/device-queries.ts'
import { forgetLate } from '../../core/devices/late-readings.ts'
import { routineMs } from '../../domain/late.ts'
import type { Client } from '../../platform/db/pool.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import type { Job } from '../../platform/services.ts'
import { endByItself, type Settled, segmentsOf, settle, silenceHours } from './settle.ts'
import {
  cutsOf,
  insertSessions,
  islandsOf,
  nextDevices,
  removeSessions,
  stillInUse,
  storedSince,
  stretchesIn,
  updateSessions,
} from './sweep-queries.ts'

const hourMs = 3_600_000
const maxPerStatement = 1_000

/**
 * Every five minutes: brings the sessions up to date with the readings of the last 48 hours, of a device that got late
 * ones with all since the first of those, and of one without sessions with all. Once a night with the last 35 days,
 * because a device may also say late that it was switched off.
 */
export const sweepSessions: Job<Record<string, never>> = {
  name: 'sweep-sessions',
  payload: z.strictObject({}),
  retryLimit: 2,
  cron: '*/5 * * * *',
  async run({ pool, bus, clock }) {
    const now = clock.now().getTime()
    const at = new Date(now)
    const isNight = at.getUTCHours() === 2 && at.getUTCMinutes() < 5
    const since = now - (isNight ? 35 * 24 * hourMs : routineMs)
    for (const { companyId, deviceId, visibility } of await asPipeline(pool, ({ client }) => switchedOn(client))) {
      const data: LiveDevice = { deviceId: String(deviceId), change: 'power' }
      bus.publish({ companyId, kind: 'device', deviceId, private: visibility === 'private', data })
    }
    let after: [number, number] = [0, 0]
    for (;;) {
      const last = await asPipeline(pool, ({ client }) => sweep(client, after, now, since))
      if (!last) return
      after = [last.companyId, last.id]
    }
  },
}

type Keyed = { companyId: number; deviceId: number }
const keyOf = ({ companyId, deviceId }: Keyed) => `${companyId}:${deviceId}`

/** Sweeps the devices that follow; returns the last of them. */
async function sweep(client: Client, after: [number, number], now: number, since: number) {
  const devices = await nextDevices(client, after, maxPerStatement)
  if (devices.length === 0) return undefined
  const hours = devices.map((device) => silenceHours(device.intervalS))
  const begins = devices.map(({ known, lateSince }, index) => {
    // With the silence before, across which a reading still belongs to a session that seemed over.
    const first = Math.min(since, lateSince ?? since) - ((hours[index] ?? 6) + 1) * hourMs
    return known ? Math.floor(first / hourMs) * hourMs : null
  })
  const stored = Map.groupBy(await storedSince(client, devices, begins), keyOf)
  const islands = Map.groupBy(await islandsOf(client, devices, begins, hours), keyOf)
  const cuts = Map.groupBy(await cutsOf(client, devices), keyOf)
  const segments = devices.flatMap((device, index) => {
    const key = `${device.companyId}:${device.id}`
    const own = segmentsOf(islands.get(key) ?? [], cuts.get(key) ?? [], hours[index] ?? 6)
    return own.map((segment) => ({ ...segment, companyId: device.companyId, deviceId: device.id }))
  })
  const stretches = Map.groupBy(await stretchesIn(client, segments), keyOf)
  const inserts: (Settled & Keyed)[] = []
  const updates: (Settled & Keyed & { id: string })[] = []
  const removals: (Keyed & { id: string })[] = []
  devices.forEach((device, index) => {
    const ids = { companyId: device.companyId, deviceId: device.id }
    const key = keyOf(ids)
    const [mine, byHand] = [false, true].map((wanted) => (stored.get(key) ?? []).filter((one) => one.byHand === wanted))
    const present = { now, hours: hours[index] ?? 6, inFlight: device.inFlight }
    const begin = begins[index] ?? Number.NEGATIVE_INFINITY
    const writes = settle(mine ?? [], stretches.get(key) ?? [], { ...present, since: begin })
    inserts.push(...writes.insert.map((row) => ({ ...row, ...ids })))
    updates.push(...writes.update.map((row) => ({ ...row, ...ids })))
    removals.push(...writes.remove.map((id) => ({ id, ...ids })))
    const offs = (cuts.get(key) ?? []).filter(({ by }) => by === 'power').map(({ at }) => at)
    for (const one of [...writes.left, ...(byHand ?? [])]) {
      const ended = endByItself(one, offs, device.lastReading, present)
      if (ended) updates.push({ ...ended, id: one.id, ...ids })
    }
  })
  await write(client, inserts, updates, removals, now)
  await forgetLate(client, devices)
  return devices.at(-1)
}

async function write(
  client: Client,
  inserts: (Settled & Keyed)[],
  updates: (Settled & Keyed & { id: string })[],
  removals: (Keyed & { id: string })[],
  now: number,
): Promise<void> {
  const touched = [...inserts, ...updates, ...removals]
  if (touched.length === 0) return
  const inUse = await stillInUse(client, [...new Map(touched.map((row) => [keyOf(row), row])).values()])
  const still = <T extends Keyed>(rows: T[]) => rows.filter((row) => inUse.has(keyOf(row)))
  await removeSessions(client, still(removals))
  await updateSessions(client, still(updates))
  await insertSessions(client, still(inserts), now)
}
