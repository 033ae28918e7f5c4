import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { type Limits, limitPresets } from '@isotherm/contract/device-limits.ts'
import type { DeviceReport, VerifiedReport } from '@isotherm/contract/device-reports.ts'
import type { StatsOfDevice } from '@isotherm/contract/stats.ts'
import { parse } from 'csv-parse/sync'
import { readXlsx } from 'hucre/xlsx'
import { extractTextItems, type StructuredTextItem } from 'unpdf'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { anAlarm } from '../../../test/alarm-factory.ts'
import { changing } from '../../../test/changed.ts'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, only, setMatrix, type TestUser } from '../../../test/factories.ts'
import { mailsTo } from '../../../test/mailed.ts'
import type { TestReading } from '../../../test/test-pipeline.ts'
import { inTenant } from '../../platform/db/transaction.ts'

// Each report is a process of its own, which gives way to everything else that a busy machine does.
vi.setConfig({ testTimeout: 180_000 })

const t = describeApp()
const pipeline = describePipeline(t)
// Winter in Berlin, and a day of two digits: cells of tables wrap after it.
beforeAll(() => t.clock.set(new Date('2026-11-20T12:00:00Z')))

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const step = 10 * minute
const iso = (at: number) => new Date(at).toISOString()

interface FactoryOptions {
  name?: string
  visibility?: 'private' | 'public'
  limits?: Partial<Limits>
  locale?: string
  timezone?: string
}

/** An Admin with a device that measures every 10 minutes between limits (default 2 to 8 degrees). */
async function own({ locale = 'en', timezone = 'Europe/Berlin', ...given }: FactoryOptions = {}) {
  const admin = await buildUser(t, { locale, timezone })
  const validFrom = new Date(t.clock.now().getTime() - 700 * day)
  const limits = limitPresets.refrigerated
  const device = await aDevice(t, { companyId: admin.companyId, intervalS: 600, validFrom, limits, ...given })
  const send = async (readings: TestReading[]) => {
    for (let i = 0; i < readings.length; i += 500) await pipeline.send(device, readings.slice(i, i + 500))
  }
  return { admin, device, send }
}

const every = (from: number, values: readonly number[]): TestReading[] =>
  values.map((temperatureC, index) => ({
    at: new Date(from + index * step),
    temperatureC,
    batteryPct: 80,
    lat: 52.5 + index / 1000,
    lon: 13.4 + index / 500,
  }))

const ask = (user: TestUser, device: { id: number }, body: object) =>
  t.call('POST', `/devices/${device.id}/history/report`, { token: user.token, body })

interface Built {
  report: DeviceReport
  file: Buffer
}

/** Asks for a report and has it built; with its file as it is downloaded. */
async function build(
  user: TestUser,
  device: { id: number },
  body: { from: string; to: string; format: string; contents?: string[]; locale?: string; recipients?: string[] },
) {
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

/** The text of a PDF: a line per line on its pages, which are parted by form feeds. */
async function textOf(pdf: Buffer): Promise<string> {
  const { items } = await extractTextItems(new Uint8Array(pdf))
  return items.map(pageText).join('\f')
}

function pageText(items: StructuredTextItem[]): string {
  const lines = new Map<number, StructuredTextItem[]>()
  for (const item of items.filter(({ str }) => str.trim())) {
    const y = [...lines.keys()].find((known) => Math.abs(known - item.y) < 2) ?? item.y
    lines.set(y, [...(lines.get(y) ?? []), item])
  }
  const texts = [...lines].sort(([a], [b]) => b - a).map(([, line]) => line.sort((a, b) => a.x - b.x))
  const text = texts.map((line) => line.map(({ str }) => str).join(' ')).join('\n')
  // Fonts have one glyph for all kinds of spaces.
  return `${text.replaceAll(/[ \u2009\u00a0\u202f]+/g, ' ')}\n`
}

test('a report is a PDF with the figures of the statistics call, the excursions, every reading and its pages numbered', async () => {
  const { admin, device, send } = await own({ name: 'Zoë’s van' })
  const from = t.clock.now().getTime() - 30 * hour
  await send(every(from, [...Array(60).fill(5), 9.25, 9.5, 5, ...Array(60).fill(4.5), 1.75, 4]))
  const period = { from: iso(from), to: iso(from + 22 * hour) }
  const { report, file, headers } = await build(admin, device, { ...period, format: 'pdf' })
  const text = await textOf(file)
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
  expect(text).toContain(`${temperature.mkt?.valueC?.toFixed(2)} °C (ΔH 83.144 kJ/mol)`)
  expect(text).toContain(`${temperature.average?.toFixed(2)} °C`)
  expect(text).toMatch(/Lowest\s+1\.75 °C at /)
  expect(text).toMatch(/Highest\s+9\.50 °C at /)
  expect(text).toMatch(new RegExp(`Readings\\s+${temperature.count}`))
  expect(temperature.excursions.count).toBe(2)
  expect(text).toMatch(/2 excursions, 30 min out of range/)
  // To the second: one may last no longer.
  const clock = (index: number) =>
    new Date(from + index * step).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin', timeStyle: 'long' })
  expect(text).toContain(`recorded late ${clock(60)} ${clock(62)} `)
  expect(text.match(/T above/g)).toHaveLength(2)
  expect(text.match(/T below/g)).toHaveLength(1)
  expect(text).toContain(report.dataSha256)
  expect(text.replaceAll(/\s/g, '')).toContain(`/verify-report/${report.key}`)
  const pages = text.split('\f').filter((page) => page.trim())
  expect(report.pages).toBe(pages.length)
  for (const [index, page] of pages.entries()) expect(page).toMatch(new RegExp(`${index + 1} ?/ ?${pages.length}\\n`))
  const rows = text.match(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d\s+\d/g)
  expect(rows).toHaveLength(report.readings ?? -1)
  expect(report.readings).toBe(125)
  expect(createHash('sha256').update(file).digest('hex')).toBe(report.fileSha256)
})

test('CSV and XLSX have every reading: numbers as numbers, times with their zone, no formula of a name', async () => {
  const { admin, device, send } = await own({ name: '=HYPERLINK("http://x.test","<script>alert(1)</script>")' })
  const from = t.clock.now().getTime() - 10 * hour
  await send(every(from, [5, -20.5, 9]))
  const period = { from: iso(from), to: iso(from + hour) }
  const csv = (await build(admin, device, { ...period, format: 'csv' })).file.toString('utf8')
  const lines = parse(csv, { bom: true, columns: true }) as Record<string, string>[]
  expect(lines).toHaveLength(3)
  expect(lines[1]).toMatchObject({
    'Time (UTC)': iso(from + step),
    'Temperature (°C)': '-20.5',
    'Temperature by its limits': 'below',
    'Battery (%)': '80',
    Device: `'${device.name}`,
    IMEI: device.imei,
  })
  const local = String(lines[1]?.['Time (Europe/Berlin)'])
  expect(local).toMatch(/\+01:00$/)
  expect(Date.parse(local)).toBe(from + step)
  const xlsx = (await build(admin, device, { ...period, format: 'xlsx' })).file
  const book = await readXlsx(xlsx)
  expect(book.sheets.map(({ name }) => name)).toEqual(['About this report', 'Excursions', 'Readings'])
  const about = new Map((book.sheets[0]?.rows ?? []).map(([name, ...values]) => [name, values]))
  expect(about.get('Company')?.[0]).toBeTruthy()
  expect(about.get('Readings')?.[0]).toBe('3')
  expect(about.get('Verdict')?.[0]).toBe('Out of range')
  expect(book.sheets[1]?.rows[1]?.[0]).toBe('Temperature below')
  const [head = [], ...rows] = book.sheets[2]?.rows ?? []
  const cell = (row: number, name: string) => rows[row]?.[head.indexOf(name)]
  expect(rows).toHaveLength(3)
  expect(cell(1, 'Temperature (°C)')).toBe(-20.5)
  expect(cell(1, 'UTC offset')).toBe('+01:00')
  expect(Math.abs(Number(cell(1, 'Time (UTC)')) - (from + step))).toBeLessThan(1000)
  expect(Math.abs(Number(cell(1, 'Time (Europe/Berlin)')) - (from + step + hour))).toBeLessThan(1000)
  expect(cell(1, 'Device')).toBe(device.name)
  const unzipped = execFileSync('python3', ['-c', unzip], { input: xlsx, encoding: 'utf8' })
  expect(unzipped).not.toContain('<f>')
  const pdf = await textOf((await build(admin, device, { ...period, format: 'pdf' })).file)
  expect(pdf).toContain('<script>alert(1)</script>')
})
const unzip =
  'import sys,io,zipfile;z=zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()));print(*[z.read(n).decode() for n in z.namelist() if "sheet" in n])'

test('it tells the intervals of its period, not the one that the device is set to now', async () => {
  const { admin, device, send } = await own()
  const from = t.clock.now().getTime() - 10 * hour
  await send(every(from, [5, 5]))
  const setTo = (at: number, intervalS: number) =>
    changing(t.pool, admin.companyId, ({ tx }) =>
      tx
        .insertInto('device_intervals')
        .values({ company_id: admin.companyId, device_id: device.id, valid_from: new Date(at), interval_s: intervalS })
        .execute(),
    )
  await setTo(from + 2 * hour, 1800)
  await setTo(from + 6 * hour, 3600)
  const textOfHours = async (hours: number) =>
    textOf((await build(admin, device, { from: iso(from), to: iso(from + hours * hour), format: 'pdf' })).file)
  const told = async (hours: number) => (await textOfHours(hours)).replaceAll('\n', ' ')
  expect(await told(1)).toContain('2; set to measure every 10 min Generated')
  expect(await told(4)).toContain('2; set to measure every 10 min; since 20 Nov 2026, 05:00 CET every 30 min Generated')
})

test('it is mailed to who asked, in their language, attached and with a link to a page behind the login', async () => {
  const { admin, device, send } = await own({ locale: 'fr', timezone: 'Europe/Paris', name: 'Camion d’été' })
  const from = t.clock.now().getTime() - 10 * hour
  await send(every(from, [5, 5]))
  const { report, file } = await build(admin, device, { from: iso(from), to: iso(from + hour), format: 'pdf' })
  const mails = await mailsTo(t, admin.email)
  expect(mails).toHaveLength(1)
  expect(mails[0]?.subject).toBe('Rapport d’historique de Camion d’été')
  expect(mails[0]?.text).toMatch(/ du \d.*, \d\d:\d\d au .*, \d\d:\d\d UTC\+[12] que vous/)
  expect(mails[0]?.text).toContain(`/devices/report/${device.id}?from=`)
  expect(mails[0]?.text).toContain(`/verify-report/${report.key}`)
  expect(mails[0]?.attachments).toMatchObject([{ contentType: 'application/pdf' }])
  const text = await textOf(file)
  expect(text).toContain('Rapport d’historique pour')
  expect(text).toContain('Température cinétique moyenne')
  expect(text).toContain('5,00')
})

test('asked for to be downloaded it is mailed to nobody; a PDF without its readings is shorter and proves the same data', async () => {
  const { admin, device, send } = await own()
  const from = t.clock.now().getTime() - 30 * hour
  await send(every(from, Array(170).fill(5)))
  const wanted = { from: iso(from), to: iso(from + 30 * hour), format: 'pdf', recipients: [] }
  const whole = await build(admin, device, wanted)
  const short = await build(admin, device, { ...wanted, contents: ['stats', 'charts', 'excursions'] })
  expect(await mailsTo(t, admin.email)).toEqual([])
  expect(short.report.pages).toBeLessThan(whole.report.pages ?? 0)
  expect(short.report.dataSha256).toBe(whole.report.dataSha256)
  const sheets = await build(admin, device, { ...wanted, format: 'xlsx', contents: ['stats', 'excursions'] })
  expect((await readXlsx(new Uint8Array(sheets.file))).sheets.map(({ name }) => name)).not.toContain('Readings')
})

describe('contents that are chosen', () => {
  /** A device that was too warm, with an alarm that says so; the alarm is private where it is asked for. */
  async function alarmed(visibility: 'private' | 'public' = 'public') {
    const made = await own({ name: 'Fridge' })
    await anAlarm(t, made.admin, { name: 'Kitchen alarm', visibility, deviceIds: [made.device.id] })
    const from = t.clock.now().getTime() - 10 * hour
    await made.send(every(from, [5, 5, 9, 9, 5]))
    return { ...made, asked: { from: iso(from), to: iso(from + 2 * hour), recipients: [] } }
  }

  test('are in the PDF and nothing else, in the language that was chosen; the mail is in that of its reader', async () => {
    const { admin, device, asked } = await alarmed()
    const whole = await build(admin, device, { ...asked, format: 'pdf' })
    const chosen = { ...asked, format: 'pdf', contents: ['alarms', 'excursions'], locale: 'fr', recipients: [admin.id] }
    const { file, report } = await build(admin, device, chosen)
    const text = await textOf(file)
    expect(report.contents).toEqual(['alarms', 'excursions'])
    for (const words of ['Kitchen alarm', 'Excursions', 'Rapport d’historique']) expect(text, words).toContain(words)
    for (const words of ['Statistiques', 'Trajet', 'Kitchen alarm\nT']) expect(text.includes(words), words).toBe(false)
    expect(text).not.toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d\s+\d/)
    expect(report.dataSha256).toBe(whole.report.dataSha256)
    expect((await mailsTo(t, admin.email)).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^History report/),
    ])
  })

  test.each([
    ['readings', 5, { 'Temperature (°C)': '9' }],
    ['stats', 1, { Device: 'Fridge', 'Highest (°C)': '9' }],
    ['excursions', 1, { Peak: '9' }],
    ['alarms', 1, { Device: 'Fridge', Alarm: 'Kitchen alarm' }],
  ])('as CSV: %s', async (content, count, values) => {
    const { admin, device, asked } = await alarmed()
    const { file } = await build(admin, device, { ...asked, format: 'csv', contents: [content] })
    const lines = parse(file, { bom: true, columns: true }) as Record<string, string>[]
    expect(lines).toHaveLength(count)
    expect(lines.at(count === 5 ? 2 : 0)).toMatchObject(values)
  })

  test('as XLSX each has a sheet', async () => {
    const { admin, device, asked } = await alarmed()
    const { file } = await build(admin, device, { ...asked, format: 'xlsx', contents: ['alarms', 'readings'] })
    const { sheets } = await readXlsx(file)
    expect(sheets.map(({ name }) => name)).toEqual(['About this report', 'Alarms', 'Readings'])
    expect(sheets[0]?.rows.flat()).not.toContain('Verdict')
    expect(sheets[1]?.rows[1]?.slice(0, 2)).toEqual(['Fridge', 'Kitchen alarm'])
  })

  test.each([
    ['two tables in a CSV', 'csv', ['stats', 'readings']],
    ['charts alone in a CSV', 'csv', ['charts']],
    ['charts alone in an XLSX', 'xlsx', ['charts']],
    ['nothing', 'pdf', []],
    ['what there is not', 'pdf', ['weather']],
  ])('%s is a 422', async (_, format, contents) => {
    const { admin, device, asked } = await alarmed()
    const { status, body } = await ask(admin, device, { ...asked, format, contents })
    expect(status).toBe(422)
    expect(Object.keys(body.fields)[0]).toMatch(/^contents/)
  })

  test('with alarms are for who sees alarms, when they ask, when they read, and when it is mailed', async () => {
    const { admin, device, asked } = await alarmed()
    const manager = await buildUser(t, { company: admin, role: 'manager' })
    await setMatrix(t, admin.companyId, 'manager', only('devices.view', 'devices.export'))
    const wanted = { ...asked, format: 'csv', contents: ['alarms'], recipients: [manager.id] }
    expect(Object.keys((await ask(manager, device, wanted)).body.fields)).toEqual(['contents'])
    const { report } = await build(admin, device, wanted)
    const path = `/device-reports/${report.id}`
    expect((await t.call('GET', path, { token: manager.token })).status).toBe(404)
    expect((await t.call('GET', `${path}/file`, { token: manager.token })).status).toBe(404)
    expect((await t.call('GET', '/device-reports', { token: manager.token })).body.payload.data).toEqual([])
    expect(await mailsTo(t, manager.email)).toEqual([])
  })

  test('a report that tells of a private alarm is for Admins', async () => {
    const { admin, device, asked } = await alarmed('private')
    const manager = await buildUser(t, { company: admin, role: 'manager' })
    const wanted = { ...asked, format: 'csv', contents: ['alarms'] }
    const [theirs, whole] = [await build(manager, device, wanted), await build(admin, device, wanted)]
    expect(theirs.file.toString()).not.toContain('Kitchen')
    expect(whole.file.toString()).toContain('Kitchen')
    const sees = async ({ report }: Built) =>
      (await t.call('GET', `/device-reports/${report.id}`, { token: manager.token })).status
    expect([await sees(theirs), await sees(whole)]).toEqual([200, 404])
  })
})

test('the statistics stand on one page, and a device that stood has no map of its path', async () => {
  const { admin, device, send } = await own()
  const from = t.clock.now().getTime() - 30 * hour
  const asked = { from: iso(from), to: iso(from + 20 * hour), format: 'pdf', contents: ['stats', 'charts'] }
  const moving = every(from, Array(40).fill(5))
  await send(moving.slice(0, 20).map((one) => ({ ...one, lat: 52.5, lon: 13.4 })))
  const standing = await textOf((await build(admin, device, asked)).file)
  expect(standing).toContain('It did not move')
  expect(standing).not.toContain('First position')
  const pages = standing.split('\f').filter((page) => page.includes('Shortest excursion') || page.includes('Verdict'))
  expect(pages).toHaveLength(1)
  await send(moving.slice(20))
  expect(await textOf((await build(admin, device, asked)).file)).toContain('First position')
})

test('each recipient gets it once, in their language and with the name of who sends it, if they may have it by then', async () => {
  const { admin, device, send } = await own({ visibility: 'private' })
  const company = { companyId: admin.companyId }
  const french = await buildUser(t, { company, locale: 'fr' })
  const manager = await buildUser(t, { company, role: 'manager' })
  await send(every(t.clock.now().getTime() - 5 * hour, [5, 5]))
  const period = { from: iso(t.clock.now().getTime() - 6 * hour), to: iso(t.clock.now().getTime()) }
  const recipients = [admin, french, manager].map(({ id }) => id)
  await build(admin, device, { ...period, format: 'pdf', recipients })
  expect((await mailsTo(t, admin.email)).map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^History report/),
  ])
  const [mail, ...more] = await mailsTo(t, french.email)
  expect(more).toEqual([])
  expect(mail?.subject).toMatch(/^Rapport d’historique/)
  expect(mail?.text).toContain('vous envoie le rapport')
  // A Manager sees no private device.
  expect(await mailsTo(t, manager.email)).toEqual([])
})

test('a recipient whose mail is refused keeps it from no other one, and gets it at another try; nobody gets it twice', async () => {
  const { admin, device, send } = await own()
  const mate = await buildUser(t, { company: { companyId: admin.companyId } })
  await send(every(t.clock.now().getTime() - 5 * hour, [5, 5]))
  const period = { from: iso(t.clock.now().getTime() - 6 * hour), to: iso(t.clock.now().getTime()) }
  const taken = t.services.mailer.send
  const refusing = vi.spyOn(t.services.mailer, 'send').mockImplementation(async (mail) => {
    if (mail.to === admin.email) throw new Error('550 no such mailbox')
    await taken(mail)
  })
  const { body } = await ask(admin, device, { ...period, format: 'csv', recipients: [admin.id, mate.id] })
  await expect(t.runJobs()).rejects.toThrow('could not be mailed to everybody')
  refusing.mockRestore()
  expect([await mailsTo(t, admin.email), await mailsTo(t, mate.email)]).toMatchObject([[], [{}]])
  const job = JSON.stringify({ companyId: admin.companyId, reportId: body.payload.id })
  await t.pool.query(`insert into waiting_jobs (name, payload) values ('device-report-mail', $1)`, [job])
  expect([await mailsTo(t, admin.email), await mailsTo(t, mate.email)]).toMatchObject([[{}], [{}]])
})

test('a recipient who is not in the team is named, and no report is made', async () => {
  const { admin, device } = await own()
  const stranger = await buildUser(t)
  const period = { from: iso(t.clock.now().getTime() - hour), to: iso(t.clock.now().getTime()) }
  const recipients = [admin.id, stranger.id]
  const { status, body } = await ask(admin, device, { ...period, format: 'pdf', recipients })
  expect([status, Object.keys(body.fields)]).toEqual([422, ['recipients.1']])
  expect((await t.call('GET', '/device-reports', { token: admin.token })).body.payload.data).toEqual([])
})

test.each(['es', 'sw'])('the words of %s are all there', async (locale) => {
  const { admin, device, send } = await own({ locale })
  const from = t.clock.now().getTime() - 10 * hour
  await send(every(from, [5, 9, 5]))
  const text = await textOf((await build(admin, device, { from: iso(from), to: iso(from + hour), format: 'pdf' })).file)
  expect(text).not.toMatch(/document\.|deviceReports/)
  expect(text).toContain(locale === 'es' ? 'Fuera de rango' : 'Nje ya mipaka')
})

describe('a report issued again', () => {
  test('of the same data has the same data hash, and says so; after late data it says what came', async () => {
    const { admin, device, send } = await own()
    const from = t.clock.now().getTime() - 20 * hour
    await send(every(from, [5, 5, 9, 5]).filter((_, index) => index !== 1))
    const asked = { from: iso(from), to: iso(from + hour), format: 'pdf' }
    const first = await build(admin, device, asked)
    expect(await textOf(first.file)).toContain('This is the first report issued of this device and period.')
    t.clock.advance(minute)
    const second = await build(admin, device, asked)
    expect(second.report.dataSha256).toBe(first.report.dataSha256)
    expect(second.report.fileSha256).not.toBe(first.report.fileSha256)
    expect(await textOf(second.file)).toMatch(new RegExp(`${first.report.key}|the same`))
    t.clock.advance(minute)
    await send([{ at: new Date(from + 3 * step - minute), temperatureC: 14 }])
    const third = await build(admin, device, asked)
    const text = await textOf(third.file)
    expect(third.report.dataSha256).not.toBe(first.report.dataSha256)
    expect(text).toContain('different')
    expect(text).toMatch(/1 reading of the period/)
    expect(text).toMatch(/excursion was found or/)
    expect(text).toContain('amended')
  })
})

test('cause, note and owner of an excursion are printed, the cause in the language of the report; the data hash stays', async () => {
  const { admin, device, send } = await own({ locale: 'fr' })
  const from = t.clock.now().getTime() - 20 * hour
  await send(every(from, [5, 9, 5]))
  const asked = { from: iso(from), to: iso(from + hour), format: 'pdf' }
  const before = await build(admin, device, asked)
  const { payload } = (await t.call('GET', '/excursions', { token: admin.token })).body
  const body = { ids: [payload.data[0].id], cause: 'doorOpen', note: 'Livraison du matin', ownerId: admin.id }
  expect((await t.call('PATCH', '/excursions', { token: admin.token, body })).status).toBe(200)
  t.clock.advance(minute)
  const after = await build(admin, device, asked)
  expect(await textOf(before.file)).not.toContain('Porte ouverte')
  expect(await textOf(after.file)).toMatch(new RegExp(`Porte ouverte ${admin.fullname} Livraison du matin`))
  expect(after.report.dataSha256).toBe(before.report.dataSha256)
  const { file } = await build(admin, device, { ...asked, format: 'xlsx' })
  expect((await readXlsx(file)).sheets[1]?.rows[1]?.slice(-3)).toEqual([
    ...['Porte ouverte', 'Livraison du matin', admin.fullname],
  ])
})

test('anybody who holds a report can verify it, and a changed file does not match', async () => {
  const { admin, device, send } = await own({ name: 'Fridge 1' })
  const from = t.clock.now().getTime() - 10 * hour
  await send(every(from, [5, 5]))
  const { report, file } = await build(admin, device, { from: iso(from), to: iso(from + hour), format: 'pdf' })
  const { status, body } = await t.call('GET', `/verify-report/${report.key}`)
  expect(status).toBe(200)
  const told = body.payload as VerifiedReport
  expect(told).toMatchObject({ deviceName: 'Fridge 1', imeis: [device.imei], readings: 2, format: 'pdf' })
  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  expect(told.fileSha256).toBe(hash(file))
  expect(told.fileSha256).not.toBe(hash(Buffer.concat([file, Buffer.from(' ')])))
  expect(told.dataSha256).toBe(report.dataSha256)
  for (const key of ['0'.repeat(32), report.id, 'x', `${report.key}0`])
    expect((await t.call('GET', `/verify-report/${key}`)).status, key).toBe(404)
})

test('what was not ready is verified by nobody and has no file', async () => {
  const { admin, device } = await own()
  const now = t.clock.now().getTime()
  const { body } = await ask(admin, device, { from: iso(now - hour), to: iso(now), format: 'pdf' })
  expect(body.payload).toMatchObject({ state: 'waiting', progress: 0, fileSha256: null })
  expect((await t.call('GET', `/verify-report/${body.payload.key}`)).status).toBe(404)
  expect((await t.call('GET', `/device-reports/${body.payload.id}/file`, { token: admin.token })).status).toBe(404)
  await t.runJobs()
})

describe('whose it is', () => {
  test('another company finds nothing, Staff without export may look at it but not ask for or load it', async () => {
    const { admin, device } = await own()
    const staff = await buildUser(t, { company: admin, role: 'staff' })
    const stranger = await buildUser(t)
    const now = t.clock.now().getTime()
    const asked = { from: iso(now - hour), to: iso(now), format: 'csv' }
    const { report } = await build(admin, device, asked)
    const get = async (user: TestUser, path: string) => (await t.call('GET', path, { token: user.token })).status
    for (const path of [`/device-reports/${report.id}`, `/device-reports/${report.id}/file`])
      expect(await get(stranger, path)).toBe(404)
    expect((await ask(stranger, device, asked)).status).toBe(404)
    expect((await ask(staff, device, asked)).status).toBe(403)
    expect(await get(staff, `/device-reports/${report.id}`)).toBe(200)
    expect(await get(staff, `/device-reports/${report.id}/file`)).toBe(403)
    const list = async (user: TestUser, query = {}) =>
      (await t.call('GET', '/device-reports', { token: user.token, query })).body.payload.meta.total
    expect([await list(admin), await list(staff), await list(stranger)]).toEqual([1, 1, 0])
    expect(await list(stranger, { deviceId: String(device.id) })).toBe(0)
  })

  test('of a private device it exists for Admins only, also if it became private after it was asked for', async () => {
    const { admin, device } = await own()
    await setMatrix(t, admin.companyId, 'manager', only('devices.view', 'devices.export'))
    const manager = await buildUser(t, { company: admin, role: 'manager' })
    const now = t.clock.now().getTime()
    const asked = { from: iso(now - hour), to: iso(now), format: 'csv' }
    const { body } = await ask(manager, device, asked)
    await inTenant(t.pool, admin.companyId, ({ tx }) =>
      tx.updateTable('devices').set({ visibility: 'private' }).where('id', '=', device.id).execute(),
    )
    await t.runJobs()
    expect((await ask(manager, device, asked)).status).toBe(404)
    expect((await t.call('GET', `/device-reports/${body.payload.id}`, { token: manager.token })).status).toBe(404)
    const seen = await t.call('GET', `/device-reports/${body.payload.id}`, { token: admin.token })
    expect(seen.body.payload).toMatchObject({ state: 'failed', failure: 'notVisible' })
    expect(await mailsTo(t, manager.email)).toEqual([])
  })
})

describe('periods', () => {
  test('without readings it says so', async () => {
    const { admin, device } = await own()
    const now = t.clock.now().getTime()
    const { report, file } = await build(admin, device, { from: iso(now - day), to: iso(now), format: 'pdf' })
    const text = await textOf(file)
    expect(report.readings).toBe(0)
    expect(text).toContain('No data')
    expect(text).toContain('Nothing was measured in this period.')
    expect(text).toContain('No excursions in this period.')
  })

  test('a frozen range has no mean kinetic temperature, and says why', async () => {
    const { admin, device, send } = await own({ limits: limitPresets.frozen })
    const from = t.clock.now().getTime() - 3 * hour
    await send(every(from, [-20, -18.25, -20]))
    const text = await textOf(
      (await build(admin, device, { from: iso(from), to: iso(from + 20 * minute), format: 'pdf' })).file,
    )
    expect(text).toContain('not stated: the limits are a frozen range')
    expect(text).toContain('\u221218.25 °C')
    expect(text).toContain('In range')
  })

  test('in the night clocks are set back every reading has its offset', async () => {
    const now = t.clock.now()
    t.clock.set(new Date('2026-10-26T00:00:00Z'))
    const { admin, device, send } = await own()
    const from = Date.parse('2026-10-25T00:30:00Z')
    await send(every(from, Array(7).fill(5)))
    const { file } = await build(admin, device, { from: iso(from), to: iso(from + hour), format: 'pdf' })
    t.clock.set(now)
    const text = await textOf(file)
    expect(text).toContain('2026-10-25 02:30:00 +02:00')
    expect(text).toContain('2026-10-25 02:30:00 +01:00')
    expect(text).toContain('25 Oct 2026, 02:30 CEST to 25 Oct 2026, 02:30 CET')
  })

  test.each([
    ['ten years', { from: '2016-11-01T00:00:00Z', to: '2026-11-01T00:00:00Z' }, 'to'],
    ['start after end', { from: '2026-11-02T00:00:00Z', to: '2026-11-01T00:00:00Z' }, 'from'],
    ['no end', { from: '2026-11-02T00:00:00Z' }, 'to'],
    ['no date', { from: 'yesterday', to: '2026-11-01T00:00:00Z' }, 'from'],
  ])('%s is a 422', async (_, period, field) => {
    const { admin, device } = await own()
    const { status, body } = await ask(admin, device, { ...period, format: 'pdf' })
    expect([status, Object.keys(body.fields)]).toEqual([422, [field]])
  })

  test('and so is a format there is not', async () => {
    const { admin, device } = await own()
    const asked = { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z', format: 'docx' }
    expect((await ask(admin, device, asked)).status).toBe(422)
  })
})

test('a device whose hardware was swapped has both IMEIs by date', async () => {
  const { admin, device, send } = await own()
  const now = t.clock.now().getTime()
  await send(every(now - 5 * hour, [5, 5]))
  const other = await aDevice(t, { companyId: admin.companyId })
  await changing(t.pool, admin.companyId, async ({ tx }) => {
    const of = (id: number) =>
      tx.updateTable('assignments').where('company_id', '=', admin.companyId).where('device_id', '=', id)
    await of(other.id)
      .set({ valid_to: new Date(now - 10 * hour) })
      .execute()
    await of(device.id)
      .set({ valid_to: new Date(now - 2 * hour) })
      .execute()
    await tx
      .insertInto('assignments')
      .values({
        company_id: admin.companyId,
        device_id: device.id,
        imei: other.imei,
        valid_from: new Date(now - 2 * hour),
      })
      .execute()
  })
  const { report, file } = await build(admin, device, { from: iso(now - 6 * hour), to: iso(now), format: 'pdf' })
  const text = await textOf(file)
  expect(text).toMatch(new RegExp(`${device.imei}, .* to `))
  expect(text).toMatch(new RegExp(`${other.imei}, since `))
  const told = (await t.call('GET', `/verify-report/${report.key}`)).body.payload as VerifiedReport
  expect(told.imeis).toEqual([device.imei, other.imei])
})

test('told to build it again, the job leaves file and mail as they are', async () => {
  const { admin, device } = await own()
  const now = t.clock.now().getTime()
  const { report, file } = await build(admin, device, { from: iso(now - hour), to: iso(now), format: 'csv' })
  const again = { reportId: report.id, companyId: admin.companyId }
  await t.pool.query(
    `insert into waiting_jobs (name, payload) values ('device-report', $1), ('device-report-mail', $1)`,
    [JSON.stringify(again)],
  )
  await t.runJobs()
  const kept = await t.call('GET', `/device-reports/${report.id}/file`, { token: admin.token })
  expect(kept.body).toBe(file.toString('utf8'))
  expect(await mailsTo(t, admin.email)).toHaveLength(1)
})
