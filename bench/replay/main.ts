import { findDifferences } from '../../server/test/recompute.ts'
import { type Admin, logIn } from '../pipeline/admin.ts'
import { type BenchDevice, makeFleet } from '../pipeline/fleet.ts'
import { openStage, type Stage } from '../pipeline/stage.ts'
import { dataIsThere, type Fix, temperatures, trajectories, type Warmth } from './data.ts'
import { byCurl, byMosquitto } from './send.ts'

/*
 * Real input: the hourly temperatures of a real machine room (Fahrenheit, converted) go in by curl, real GPS trajectories by
 * mosquitto_pub, each moved in time so that it ends now. Then list, history, chart and path are asked over the API and
 * compared with what was sent. The trajectories carry the machine room's temperatures: that pairing is a composite.
 *
 *   npm run bench -- replay
 */

const ports = { http: 15240, mqtt: 15241 }
const hourMs = 3_600_000

interface Sent extends Partial<Fix> {
  at: number
  temperatureC: number
}

async function replay() {
  const stage = await openStage(ports)
  try {
    const end = Math.floor(Date.now() / 60_000) * 60_000
    const room = temperatures(end)
    const tracks = [...trajectories(end)]
    const fleet = await makeFleet(stage.client, 1, 1 + tracks.length)
    await measureHourly(stage, fleet[0])
    await stage.startServer()
    const admin = await logIn(stage.databaseUrl, fleet[0]?.companyId ?? 0, ports.http)
    const results = [await check('machine room, by curl', stage, admin, fleet[0], await sendRoom(fleet[0], room))]
    for (const [index, [tracker, fixes]] of tracks.entries()) {
      const device = fleet[index + 1]
      const sent = await sendTrack(device, fixes, room)
      results.push(await check(`tracker ${tracker}, by mosquitto_pub (composite)`, stage, admin, device, sent))
    }
    console.table(results)
    if (results.some((row) => Object.values(row).includes(false))) process.exitCode = 1
  } finally {
    await stage.stop()
  }
}

async function measureHourly({ client }: Stage, device?: BenchDevice) {
  await client.query(`begin; set local role app; set local app.company_id = '${device?.companyId}'`)
  await client.query('update devices set interval_s = 3600 where id = $1', [device?.id])
  await client.query(`update device_intervals set interval_s = 3600 where device_id = $1`, [device?.id])
  await client.query('commit')
}

async function sendRoom(device: BenchDevice | undefined, room: Warmth[]): Promise<Sent[]> {
  if (!device) throw new Error('no device')
  let accepted = 0
  for (let from = 0; from < room.length; from += 500) {
    const readings = room.slice(from, from + 500).map(({ at, temperatureC }) => ({ at: iso(at), temperatureC }))
    accepted += (await byCurl(device, ports.http, { readings })).accepted
  }
  if (accepted !== room.length) throw new Error(`${accepted} of ${room.length} readings were accepted`)
  return room
}

async function sendTrack(device: BenchDevice | undefined, fixes: Fix[], room: Warmth[]): Promise<Sent[]> {
  if (!device) throw new Error('no device')
  const sent = fixes.map((fix, index) => ({ ...fix, temperatureC: room[index % room.length]?.temperatureC ?? 0 }))
  await byMosquitto(
    device,
    ports.mqtt,
    sent.map(({ at, ...values }) => ({ at: iso(at), ...values })),
  )
  return sent
}

const iso = (at: number) => new Date(at).toISOString()

interface Listed {
  id: string
  latest: { measuredAt: string; temperatureC: number }
  position: { lat: number; lon: number; at: string } | null
}
interface HistoryRow {
  at: string
  temperatureC: number
  lat: number | null
  lon: number | null
}

/** Compares every screen's source with what was sent. */
async function check(name: string, { client }: Stage, admin: Admin, device: BenchDevice | undefined, sent: Sent[]) {
  if (!device) throw new Error('no device')
  const last = sent.at(-1)
  const { payload: list } = await admin.ask<{ data: Listed[] }>('/devices?perPage=50')
  const row = list.data.find(({ id }) => id === String(device.id))
  const inList =
    row?.latest.measuredAt === iso(last?.at ?? 0) &&
    row.latest.temperatureC === last?.temperatureC &&
    (last.lat === undefined || (same(row.position?.lat, last.lat) && same(row.position?.lon, last.lon)))
  return {
    name,
    readings: sent.length,
    list: inList,
    history: await historyIsRight(admin, device, sent),
    chart: await chartIsRight(admin, device, sent),
    path: last?.lat === undefined ? 'none' : await pathIsRight(admin, device, sent),
    rollups: (await findDifferences(client, device)).length === 0,
  }
}

const same = (a: number | null | undefined, b: number | undefined) =>
  typeof a === 'number' && b !== undefined && Math.abs(a - b) < 1e-6

const periodOf = (from: number, to: number) => `from=${iso(from)}&to=${iso(to)}`

async function historyIsRight(admin: Admin, device: BenchDevice, sent: Sent[]): Promise<boolean> {
  const period = periodOf((sent[0]?.at ?? 0) - 1000, (sent.at(-1)?.at ?? 0) + 1000)
  const found: HistoryRow[] = []
  for (let page = 1; ; page++) {
    const { payload } = await admin.ask<{ data: HistoryRow[] }>(
      `/devices/${device.id}/history?${period}&perPage=200&page=${page}`,
    )
    found.push(...payload.data)
    if (payload.data.length < 200) break
  }
  found.reverse()
  return (
    found.length === sent.length &&
    found.every((row, index) => {
      const expected = sent[index]
      return (
        expected !== undefined &&
        row.at === iso(expected.at) &&
        row.temperatureC === expected.temperatureC &&
        (expected.lat === undefined || (same(row.lat, expected.lat) && same(row.lon, expected.lon)))
      )
    })
  )
}

async function chartIsRight(admin: Admin, device: BenchDevice, sent: Sent[]): Promise<boolean> {
  const to = (sent.at(-1)?.at ?? 0) + 1000
  const { payload } = await admin.ask<{ temperature: { min: (number | null)[]; max: (number | null)[] } }>(
    `/devices/${device.id}/history/chart?${periodOf(to - 30 * 24 * hourMs, to)}`,
  )
  const inside = sent.filter(({ at }) => at >= to - 30 * 24 * hourMs).map(({ temperatureC }) => temperatureC)
  const known = (list: (number | null)[]) => list.filter((value) => value !== null)
  return (
    same(Math.min(...known(payload.temperature.min)), Math.min(...inside)) &&
    same(Math.max(...known(payload.temperature.max)), Math.max(...inside))
  )
}

async function pathIsRight(admin: Admin, device: BenchDevice, sent: Sent[]): Promise<boolean> {
  const to = (sent.at(-1)?.at ?? 0) + 1000
  const { payload } = await admin.ask<{ segments: { at: string; lat: number; lon: number }[][] }>(
    `/devices/${device.id}/history/map-points?${periodOf(to - 24 * hourMs, to)}`,
  )
  const points = payload.segments.flat()
  const known = new Map(sent.map((fix) => [iso(fix.at), fix]))
  return (
    points.length > 0 &&
    points.every(({ at, lat, lon }) => same(lat, known.get(at)?.lat) && same(lon, known.get(at)?.lon))
  )
}

// At the end: what is above must have been defined.
if (dataIsThere()) await replay()
else console.log('Skipped: ../shared/data is not there.')
