import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { limitPresets } from '@isotherm/contract/device-limits.ts'
import type { RecordDetails, RecordStats } from '@isotherm/contract/records.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, password } from '../../../test/factories.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import type { TestPipeline } from '../../../test/test-pipeline.ts'
import { withPipeline } from '../../../test/with-pipeline.ts'

// Real trajectories (GeoLife) carrying the temperatures of a real machine room (NAB): a composite, moved in time to end now.
const folder = process.env.SHARED_DATA ?? new URL('../../../../../shared/data/', import.meta.url).pathname
const isThere = existsSync(`${folder}/geolife_small.csv`)
if (!isThere) console.warn(`skipped: a record over real input, because ${folder} is absent`)

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 })

const lines = (name: string) =>
  readFileSync(`${folder}/${name}`, 'utf8')
    .split(/\r?\n/)
    .slice(1)
    .filter((line) => line !== '')

interface Measured {
  at: number
  lat: number
  lon: number
  temperatureC: number
}

/** The fixes of the tracker with the most of them, a fix an instant, each with the next hour's temperature of the room. */
function trip(end: number): Measured[] {
  const room = lines('ambient_temperature_f.csv').map((line) => {
    const fahrenheit = Number(line.split(',')[1])
    return Math.round(((fahrenheit - 32) * 500) / 9) / 100
  })
  const trackers = Map.groupBy(
    lines('geolife_small.csv').map((line) => {
      const [lon, lat, , , , , tracker = '', at = ''] = line.split(';')
      return { tracker, at: Date.parse(at.replace(' ', 'T').replace('+00', 'Z')), lat: Number(lat), lon: Number(lon) }
    }),
    ({ tracker }) => tracker,
  )
  const [longest = []] = [...trackers.values()].sort((a, b) => b.length - a.length)
  const byTime = [...new Map(longest.map((fix) => [fix.at, fix])).values()].sort((a, b) => a.at - b.at)
  const by = end - (byTime.at(-1)?.at ?? end)
  return byTime.map(({ at, lat, lon }, index) => ({
    at: at + by,
    lat,
    lon,
    temperatureC: room[index % room.length] ?? 0,
  }))
}

describe.runIf(isThere)('a record over a real trajectory with real temperatures (a composite)', () => {
  let t: TestApp
  let pipeline: TestPipeline
  beforeAll(async () => {
    t = await startTestApp()
    pipeline = await withPipeline(t)
  })
  afterAll(async () => {
    await pipeline.close()
    await t.close()
  })

  test('tells what a recount of the file tells, is signed, and its report is built', async () => {
    const admin = await buildUser(t)
    const end = Math.floor(t.clock.now().getTime() / 60_000) * 60_000
    const sent = trip(end)
    const first = sent[0]?.at ?? end
    const device = await aDevice(t, {
      ...admin,
      name: 'GeoLife tracker',
      intervalS: 180,
      validFrom: new Date(first),
      limits: limitPresets.roomTemperature,
    })
    const ask = (method: 'GET' | 'POST', path: string, body?: unknown) =>
      t.call(method, path, { token: admin.token, ...(body !== undefined && { body }) })
    for (let i = 0; i < sent.length; i += 500)
      await pipeline.send(
        device,
        sent.slice(i, i + 500).map(({ at, ...rest }) => ({ at: new Date(at), ...rest })),
      )
    const made = await ask('POST', '/enterprise/record', {
      name: 'Composite trip',
      lot: 'real input',
      deviceIds: [String(device.id)],
      startAt: new Date(first).toISOString(),
      endAt: new Date(end).toISOString(),
      budget: { aboveC: 21, aboveMinutes: 60 * 24, neverAboveC: 26, belowC: 18, belowMinutes: 600 },
      note: 'GeoLife positions with the temperatures of a machine room: a composite.',
    })
    expect(made.status, JSON.stringify(made.body)).toBe(200)
    const { id } = made.body.payload
    const record: RecordDetails = (await ask('GET', `/enterprise/record/${id}`)).body.payload
    const beyond = (isBeyond: (value: number) => boolean) =>
      sent.reduce((sum, { at, temperatureC }, i) => {
        const held = Math.min(sent[i + 1]?.at ?? end, at + 540_000, end) - at
        return sum + (isBeyond(temperatureC) ? Math.max(0, held) : 0)
      }, 0)
    expect(record.budget?.above?.usedMs).toBe(beyond((value) => value > 21))
    expect(record.budget?.below?.usedMs).toBe(beyond((value) => value < 18))
    const values = sent.map(({ temperatureC }) => temperatureC)
    const stats: RecordStats = (await ask('GET', `/enterprise/record/${id}/stats`)).body.payload
    expect(stats.devices[0]?.temperature).toMatchObject({
      count: sent.length,
      min: { value: Math.min(...values) },
      max: { value: Math.max(...values) },
    })
    expect(stats.verdict).toBe('outOfRange')
    const { contentSha256 } = record
    const body = { meaning: 'rejected', reason: 'A machine room is no cold store', password, contentSha256 }
    expect((await ask('POST', `/enterprise/record/${id}/signatures`, body)).status).toBe(200)
    expect((await ask('POST', `/enterprise/record/${id}/report`)).status).toBe(200)
    await t.runJobs()
    const [report] = (await ask('GET', `/enterprise/record/${id}/reports`)).body.payload
    expect(report).toMatchObject({ state: 'ready', readings: sent.length })
    if (process.env.KEEP_REPORT) {
      const { rawPayload } = await t.app.inject({
        url: `/app/api/v1/enterprise/record-reports/${report.id}/file`,
        headers: { authorization: `Bearer ${admin.token}` },
      })
      await writeFile(process.env.KEEP_REPORT, rawPayload)
    }
  })
})
