import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { DeviceReport, VerifiedReport } from '@isotherm/contract/device-reports.ts'
import type { StatsOfDevice } from '@isotherm/contract/stats.ts'
import { parse } from 'csv-parse/sync'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildDevice } from '../../../test/device-factory.ts'
import { buildUser, only, setMatrix, type TestUser } from '../../../test/factories.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { mailsTo } from '../../../test/mailed.ts'
import { type TestReading, type TestRoad, withRoad } from '../../../test/with-road.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { openFiles } from '../../platform/files/files.ts'

let t: TestApp
let road: TestRoad
const scratch = mkdtempSync(join(tmpdir(), 'isotherm-report-test-'))
beforeAll(async () => {
  t = await startTestApp()
  road = await withRoad(t)
})
afterAll(async () => {
  await road.close()
  await t.close()
  rmSync(scratch, { recursive: true, force: true })
})

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const step = 10 * minute
const iso = (at: number) => new Date(at).toISOString()

interface Given {
  name?: string
  visibility?: 'private' | 'public'
  limits?: [number, number]
  locale?: string
  timezone?: string
}

/** An Admin with a device that measures every 10 minutes between limits (hundredths; default 2 to 8 degrees). */
async function own({ limits = [200, 800], locale = 'en', timezone = 'Europe/Berlin', ...given }: Given = {}) {
  const admin = await buildUser(t, { locale })
  const validFrom = new Date(t.clock.now().getTime() - 700 * day)
  const device = await buildDevice(t, { companyId: admin.companyId, intervalS: 600, validFrom, ...given })
  await inTenant(t.pool, admin.companyId, async ({ tx }) => {
    await tx.updateTable('users').set({ timezone }).where('id', '=', admin.id).execute()
    await tx
      .insertInto('device_limits')
      .values({
        company_id: admin.companyId,
        device_id: device.id,
        valid_from: validFrom,
        temperature_min_centi: limits[0],
        temperature_max_centi: limits[1],
      })
      .execute()
  })
  const send = async (readings: TestReading[]) => {
    for (let i = 0; i < readings.length; i += 500) await road.send(device, readings.slice(i, i + 500))
  }
  return { admin, device, send }
}

const every = (from: number, values: readonly number[]): TestReading[] =>
  values.map((temperatureC, place) => ({
    at: new Date(from + place * step),
    temperatureC,
    batteryPct: 80,
    lat: 52.5 + place / 1000,
    lon: 13.4 + place / 500,
  }))

const ask = (user: TestUser, device: { id: number }, body: object) =>
  t.call('POST', `/devices/${device.id}/history/report`, { token: user.token, body })

interface Built {
  report: DeviceReport
  file: Buffer
}

/** Asks for a report and has it built; with its file as it is downloaded. */
async function build(user: TestUser, device: { id: number }, body: { from: string; to: string; format: string }) {
  const { status, body: answer } = await ask(user, device, body)
  expect(status, JSON.stringify(answer)).toBe(200)
  await t.runJobs()
  const one = await t.call('GET', `/device-reports/${answer.payload.id}`, { token: user.token })
  const report = one.body.payload as DeviceReport
  expect(report, JSON.stringify(one.body)).toMatchObject({ state: 'ready', progress: 100 })
  const url = `/app/api/v1/device-reports/${report.id}/file`
  const download = await t.app.inject({ url, headers: { authorization: `Bearer ${user.token}` } })
  expect(download.statusCode).toBe(200)
  return { report, file: download.rawPayload, headers: download.headers } as Built & { headers: Record<string, string> }
}

let texts = 0
/** The text of a PDF, laid out as on its pages, which are parted by form feeds. */
function textOf(pdf: Buffer): string {
  texts += 1
  const path = join(scratch, `${texts}.pdf`)
  writeFileSync(path, pdf)
  return execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8', maxBuffer: 64e6 })
}

test('a report is a PDF with the figures of the statistics call, the excursions, every reading and its pages numbered', async () => {
  const { admin, device, send } = await own({ name: 'Zoë’s van' })
  const from = t.clock.now().getTime() - 30 * hour
  await send(every(from, [...Array(60).fill(5), 9.25, 9.5, 5, ...Array(60).fill(4.5), 1.75, 4]))
  const period = { from: iso(from), to: iso(from + 22 * hour) }
  const { report, file, headers } = await build(admin, device, { ...period, format: 'pdf' })
  const text = textOf(file)
  if (process.env.KEEP_PDF) writeFileSync(process.env.KEEP_PDF, file)
  const stats = (await t.call('GET', `/devices/${device.id}/stats`, { token: admin.token, query: period })).body
    .payload as StatsOfDevice
  const { temperature } = stats
  expect(headers['content-type']).toBe('application/pdf')
  expect(headers['content-disposition']).toMatch(/filename="isotherm-report-\d+-[\d-]+\.pdf"/)
  expect(text).toContain('Zoë’s van')
  expect(text).toContain(device.imei)
  expect(text).toContain('Europe/Berlin')
  expect(text).toContain('Out of range')
  expect(text).toMatch(/Mean kinetic temperature\s+\d/)
  expect(text).toContain(`${temperature.mkt?.valueC?.toFixed(2)}\u2009°C (ΔH 83.144 kJ/mol)`)
  expect(text).toContain(`${temperature.average?.toFixed(2)}\u2009°C`)
  expect(text).toMatch(/Lowest\s+1\.75\u2009°C at /)
  expect(text).toMatch(/Highest\s+9\.50\u2009°C at /)
  expect(text).toMatch(new RegExp(`Readings\\s+${temperature.count}`))
  expect(temperature.excursions.count).toBe(2)
  expect(text).toMatch(/2 excursions, 30 min out of range/)
  expect(text.match(/T above/g)).toHaveLength(2)
  expect(text.match(/T below/g)).toHaveLength(1)
  expect(text).toContain(report.dataSha256)
  expect(text.replaceAll(/\s/g, '')).toContain(`/verify-report/${report.key}`)
  const pages = text.split('\f').filter((page) => page.trim())
  expect(report.pages).toBe(pages.length)
  pages.forEach((page, place) => expect(page).toContain(`${place + 1} / ${pages.length}`))
  const rows = text.match(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d\s+\d/g)
  expect(rows).toHaveLength(report.readings ?? -1)
  expect(report.readings).toBe(125)
  expect(createHash('sha256').update(file).digest('hex')).toBe(report.fileSha256)
})
