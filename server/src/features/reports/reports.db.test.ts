import { createHash } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { readXlsx } from 'hucre/xlsx'
import { extractText } from 'unpdf'
import { describe, expect, test, vi } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, only, setMatrix } from '../../../test/factories.ts'
import { buildGroup } from '../../../test/group-factory.ts'
import { giveLogo } from '../../../test/logo-factory.ts'
import { picturesOf } from '../../../test/pictures-of.ts'
import { reportScene, wantedReport as wanted } from '../../../test/report-scene.ts'
import { inTenant } from '../../platform/db/transaction.ts'

// Each run is a process of its own, which gives way to everything else that a busy machine does.
vi.setConfig({ testTimeout: 180_000 })

const t = describeApp()
const pipeline = describePipeline(t)

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const { own, add, added, runsOf, run, load } = reportScene(() => ({ t, pipeline }))

test('a report is kept as it was asked for, says when it runs next, and is changed, paused and deleted', async () => {
  const { admin, device } = await own()
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  const report = await added(
    admin,
    wanted(device, {
      cadence: 'weekly',
      weekday: 1,
      time: '07:00',
      timezone: 'Africa/Lagos',
      formats: ['pdf', 'csv', 'pdf'],
      recipients: [{ userId: staff.id }, { email: 'Boss@Example.test' }, { email: 'boss@example.test' }],
    }),
  )
  expect(report).toMatchObject({
    cadence: 'weekly',
    formats: ['pdf', 'csv'],
    contents: ['stats', 'charts', 'excursions', 'alarms'],
    devices: [{ id: String(device.id) }],
    paused: false,
    lastRun: null,
  })
  expect(report.recipients.map(({ email }) => email).sort()).toEqual(['boss@example.test', staff.email].sort())
  const next = new Date(report.nextRunAt ?? '')
  expect(next.getUTCDay()).toBe(1)
  expect(next.toISOString().slice(11)).toBe('06:00:00.000Z')
  const change = (body: object) => t.call('PATCH', `/report/${report.id}`, { token: admin.token, body })
  expect((await change({ paused: true })).body.payload).toMatchObject({
    paused: true,
    nextRunAt: null,
    nextPeriod: null,
  })
  expect((await change({ name: 'Renamed', cadence: 'daily', paused: false })).body.payload).toMatchObject({
    name: 'Renamed',
    cadence: 'daily',
    time: '07:00',
    paused: false,
  })
  expect((await t.call('DELETE', `/report/${report.id}`, { token: admin.token })).status).toBe(200)
  expect((await t.call('GET', `/report/${report.id}`, { token: admin.token })).status).toBe(404)
})

describe('what cannot be is refused in words', () => {
  test.each<[string, object, string, RegExp]>([
    ['no device and no group', { deviceIds: [] }, 'deviceIds', /./],
    ['a zone that does not exist', { timezone: 'Mars/Olympus_Mons' }, 'timezone', /IANA/],
    ['a time that is none', { time: '25:00' }, 'time', /22:00/],
    ['an address that is none', { recipients: [{ email: 'not an address' }] }, 'recipients', /./],
    ['a device that is not there', { deviceIds: ['999999'] }, 'deviceIds.0', /./],
    ['a device that cannot be', { deviceIds: ['999999999999999999'] }, 'deviceIds.0', /./],
    ['a group that is not there', { groupIds: ['999999'] }, 'groupIds.0', /./],
    ['somebody who is not there', { recipients: [{ userId: '999999' }] }, 'recipients.0.userId', /./],
    ['charts alone in a table', { contents: ['charts'], formats: ['csv'] }, 'contents', /PDF/],
    ['a day of the month that none has', { monthDay: 32 }, 'monthDay', /31/],
  ])('%s', async (_, fault, field, words) => {
    const { admin, device } = await own()
    const { status, body } = await add(admin, wanted(device, fault))
    expect(status, JSON.stringify(body)).toBe(422)
    const [path, messages] = Object.entries(body.fields).find(([key]) => key.startsWith(field)) ?? []
    expect(path, JSON.stringify(body.fields)).toBeDefined()
    expect(String(messages)).toMatch(words)
  })

  test('10,000 recipients, naming the bound', async () => {
    const { admin, device } = await own()
    const recipients = Array.from({ length: 10_000 }, (_, n) => ({ email: `somebody${n}@example.test` }))
    const { status, body } = await add(admin, wanted(device, { recipients }))
    expect(status).toBe(422)
    expect(body.fields.recipients).toEqual(['Choose at most 100.'])
  })

  test('another company’s device, group and person', async () => {
    const { admin, device } = await own()
    const other = await own()
    const group = await buildGroup(t, other.admin)
    const { status, body } = await add(
      admin,
      wanted(device, {
        deviceIds: [String(other.device.id)],
        groupIds: [group.id],
        recipients: [{ userId: other.admin.id }],
      }),
    )
    expect(status).toBe(422)
    expect(Object.keys(body.fields).sort()).toEqual(['deviceIds.0', 'groupIds.0', 'recipients.0.userId'])
  })

  test('a change that would leave nothing to tell of', async () => {
    const { admin, device } = await own()
    const { id } = await added(admin, wanted(device))
    const { status, body } = await t.call('PATCH', `/report/${id}`, { token: admin.token, body: { deviceIds: [] } })
    expect(status).toBe(422)
    expect(body.fields).toHaveProperty('deviceIds')
  })
})

test('a run tells of yesterday in PDF, XLSX and CSV, and every file is what its hash says', async () => {
  const { admin, device, today } = await own({ name: '=HYPERLINK("http://evil")' })
  const contents = ['stats', 'charts', 'excursions', 'alarms', 'readings']
  const report = await added(
    admin,
    wanted(device, { name: '<script>alert(1)</script>', contents, formats: ['pdf', 'xlsx', 'csv'] }),
  )
  const done = await run(admin, report.id)
  expect(done).toMatchObject({ state: 'ready', progress: 100, devices: 1, readings: 48, kind: 'manual' })
  expect(Date.parse(done.period.from)).toBe(today - day)
  expect(Date.parse(done.period.to)).toBe(today)
  const date = new Date(today - day).toISOString().slice(0, 10)
  const base = `script-alert-1-script-${date}`
  expect(done.files.map(({ name }) => name)).toEqual([
    `${base}.pdf`,
    `${base}.xlsx`,
    `${base}-readings.xlsx`,
    `${base}-stats.csv`,
    `${base}-excursions.csv`,
    `${base}-alarms.csv`,
    `${base}-readings.csv`,
  ])
  const loaded = await Promise.all(done.files.map(({ url }) => load(url)))
  for (const [index, { status, file }] of loaded.entries()) {
    expect(status).toBe(200)
    expect(createHash('sha256').update(file).digest('hex')).toBe(done.files[index]?.sha256)
    const verified = await t.call('GET', `/verify-report/${done.files[index]?.key}`)
    expect(verified.body.payload).toMatchObject({ fileSha256: done.files[index]?.sha256, devices: 1 })
  }
  const [pdf, book, sheet, , excursions, , readings] = loaded.map(({ file }) => file)
  const { text } = await extractText(new Uint8Array(pdf ?? []), { mergePages: true })
  expect(text).toContain('<script>alert(1)</script>')
  expect(text).toContain('Out of range')
  expect(text.replaceAll(/\s/g, '')).toContain(`/verify-report/${done.files[0]?.key}`)
  expect(text).toMatch(/T above/)
  const { sheets } = await readXlsx(book ?? Buffer.alloc(0))
  expect(sheets.map(({ name }) => name)).toEqual(['Statistics', 'Excursions', 'Alarms'])
  expect((await readXlsx(sheet ?? Buffer.alloc(0))).sheets[0]?.rows).toHaveLength(49)
  const rows: string[][] = parse(readings ?? '', { bom: true })
  expect(rows).toHaveLength(49)
  expect(rows[1]?.[0]).toBe(`'${device.name}`)
  expect(rows.filter(([, , , temperature]) => temperature === '9.5')).toHaveLength(2)
  expect(parse(excursions ?? '', { bom: true })).toHaveLength(2)
})

test('a reading at midnight belongs to one day only', async () => {
  const { admin, device, today } = await own()
  await pipeline.send(device, [{ at: new Date(today), temperatureC: 4 }])
  const report = await added(admin, wanted(device, { contents: ['readings'], formats: ['csv'] }))
  expect((await run(admin, report.id)).readings).toBe(48)
})

test('a device whose licence has lapsed tells nothing hidden, one taken out of use what it measured before; neither stops the run', async () => {
  const { admin, device, today } = await own()
  const more = { companyId: admin.companyId, intervalS: 1800, validFrom: new Date(today - 60 * day) }
  const [lapsed, retired, silent] = [await aDevice(t, more), await aDevice(t, more), await aDevice(t, more)]
  for (const each of [lapsed, retired]) await pipeline.send(each, [{ at: new Date(today - 6 * hour), temperatureC: 7 }])
  const set = (id: number, values: object) =>
    inTenant(t.pool, admin.companyId, ({ tx }) =>
      tx.updateTable('devices').set(values).where('company_id', '=', admin.companyId).where('id', '=', id).execute(),
    )
  const deviceIds = [device, lapsed, retired, silent].map(({ id }) => String(id))
  const contents = ['stats', 'charts', 'excursions', 'alarms', 'readings']
  const report = await added(admin, { ...wanted(device, { contents, formats: ['pdf', 'csv', 'xlsx'] }), deviceIds })
  await set(lapsed.id, { licence_until: new Date(today - 100 * day) })
  await set(retired.id, { decommissioned_at: t.clock.now() })
  expect(await run(admin, report.id)).toMatchObject({ state: 'ready', devices: 4, readings: 49 })
})

test('who only pauses a report does not make it theirs; who changes it does', async () => {
  const { admin, device } = await own()
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  const { id } = await added(admin, wanted(device))
  const change = async (body: object) =>
    (await t.call('PATCH', `/report/${id}`, { token: manager.token, body })).body.payload.owner
  expect(await change({ paused: true })).toBe(admin.fullname)
  expect(await change({ paused: false })).toBe(admin.fullname)
  expect(await change({ name: 'Mine' })).toBe(manager.fullname)
})

test('nobody is told by a report what their role may not see', async () => {
  const { admin, device } = await own()
  const group = await buildGroup(t, admin, { deviceIds: [device.id] })
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  const report = await added(manager, wanted(device, { contents: ['alarms'] }))
  await setMatrix(t, admin.companyId, 'manager', only('reports.view', 'reports.addOrEdit'))
  const refused = await add(manager, wanted(device, { groupIds: [group.id], contents: ['stats'] }))
  expect(Object.keys(refused.body.fields)).toEqual(['deviceIds.0', 'groupIds.0'])
  expect((await add(manager, wanted(device, { contents: ['alarms'] }))).body.fields).toHaveProperty('contents')
  expect(await run(manager, report.id)).toMatchObject({ state: 'failed', failure: 'notAllowed' })
  await setMatrix(t, admin.companyId, 'manager', only('reports.view', 'reports.addOrEdit', 'alarms.view'))
  expect(await run(manager, report.id)).toMatchObject({ state: 'failed', failure: 'noDevices' })
})

test('a run whose owner may make no reports any more says so, and builds nothing', async () => {
  const { admin, device } = await own()
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  const report = await added(manager, wanted(device))
  await setMatrix(t, admin.companyId, 'manager', only('reports.view'))
  expect(await run(admin, report.id)).toMatchObject({ state: 'failed', failure: 'notAllowed', files: [] })
})

test('a run is called by the cadence it was made for, also where its report has another one by then', async () => {
  const { admin, device } = await own()
  const { id } = await added(admin, wanted(device, { cadence: 'weekly' }))
  await giveLogo(t, admin)
  expect((await t.call('POST', `/report/${id}/run`, { token: admin.token, body: {} })).status).toBe(200)
  const change = await t.call('PATCH', `/report/${id}`, { token: admin.token, body: { cadence: 'daily' } })
  expect(change.status).toBe(200)
  await t.runJobs()
  const [latest] = await runsOf(admin, id)
  const { file } = await load(latest?.files[0]?.url)
  const { text } = await extractText(new Uint8Array(file), { mergePages: true })
  expect(text).toContain('Weekly report')
  expect(text).not.toContain('Daily report')
  expect(await picturesOf(file)).toEqual(['300x120'])
})

test('run now asked twice is one run while it is under way', async () => {
  const { admin, device } = await own()
  const report = await added(admin, wanted(device, { formats: ['csv'], contents: ['stats'] }))
  const ask = () => t.call('POST', `/report/${report.id}/run`, { token: admin.token, body: {} })
  const [first, second] = await Promise.all([ask(), ask()])
  expect(first.body.payload.id).toBe(second.body.payload.id)
  await t.runJobs()
  expect(await runsOf(admin, report.id)).toHaveLength(1)
})

test('every zone that is offered may be chosen, by the name people know, and offsets and fancies may not', async () => {
  const { admin, device } = await own()
  const { body } = await t.call('GET', '/report/timezones', { token: admin.token })
  const names = body.payload.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['Africa/Lagos', 'Asia/Kolkata', 'Europe/Kyiv', 'UTC']))
  expect(body.payload).toContainEqual({ name: 'Asia/Kolkata', offsetMinutes: 330 })
  for (const timezone of ['Asia/Kolkata', 'Asia/Calcutta', 'Europe/Kyiv'])
    expect((await add(admin, wanted(device, { timezone }))).status, timezone).toBe(200)
  for (const timezone of ['+01:00', 'asia/kolkata', 'Asia/', '../etc/passwd', 'Asia/Nowhere'])
    expect((await add(admin, wanted(device, { timezone }))).status, timezone).toBe(422)
})
