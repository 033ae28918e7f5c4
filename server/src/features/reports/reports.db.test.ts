import { createHash } from 'node:crypto'
import type { Report, ReportRun } from '@isotherm/contract/reports.ts'
import { parse } from 'csv-parse/sync'
import { readXlsx } from 'hucre/xlsx'
import { extractText } from 'unpdf'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildDevice } from '../../../test/device-factory.ts'
import { buildUser, only, setMatrix, type TestUser } from '../../../test/factories.ts'
import { buildGroup } from '../../../test/group-factory.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { mailsTo } from '../../../test/mailed.ts'
import { type TestRoad, withRoad } from '../../../test/with-road.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { openFiles } from '../../platform/files/files.ts'
import { sweepKept } from '../../sweep-kept.ts'
import { mailRun } from './mail-run.ts'

// Each run is a process of its own, which gives way to everything else that a busy machine does.
vi.setConfig({ testTimeout: 180_000 })

let t: TestApp
let road: TestRoad
beforeAll(async () => {
  t = await startTestApp()
  road = await withRoad(t)
})
afterAll(async () => {
  await road.close()
  await t.close()
})

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** An Admin with a device whose yesterday (UTC) was warm from 10:00 to 11:00; limits 2 to 8 degrees. */
async function own(given: { visibility?: 'private' | 'public'; name?: string } = {}) {
  const admin = await buildUser(t)
  const validFrom = new Date(t.clock.now().getTime() - 60 * day)
  const device = await buildDevice(t, { companyId: admin.companyId, intervalS: 1800, validFrom, ...given })
  await inTenant(t.pool, admin.companyId, ({ tx }) =>
    tx
      .insertInto('device_limits')
      .values({
        company_id: admin.companyId,
        device_id: device.id,
        valid_from: validFrom,
        temperature_min_centi: 200,
        temperature_max_centi: 800,
      })
      .execute(),
  )
  const today = Math.floor(t.clock.now().getTime() / day) * day
  await road.send(
    device,
    Array.from({ length: 48 }, (_, n) => ({
      at: new Date(today - day + n * 30 * minute),
      temperatureC: n === 20 || n === 21 ? 9.5 : 5,
    })),
  )
  return { admin, device, today }
}

const wanted = (device: { id: number }, more: object = {}) => ({
  name: 'Cold room, daily',
  cadence: 'daily',
  timezone: 'UTC',
  deviceIds: [String(device.id)],
  ...more,
})

const add = (user: TestUser, body: object) => t.call('POST', '/report', { token: user.token, body })
async function added(user: TestUser, body: object): Promise<Report> {
  const { status, body: answer } = await add(user, body)
  expect(status, JSON.stringify(answer)).toBe(200)
  return answer.payload
}
const runsOf = async (user: TestUser, id: string): Promise<ReportRun[]> =>
  (await t.call('GET', `/report/${id}/runs`, { token: user.token })).body.payload.data

/** Runs a report by hand and has it built. */
async function run(user: TestUser, id: string): Promise<ReportRun> {
  const { status, body } = await t.call('POST', `/report/${id}/run`, { token: user.token, body: {} })
  expect(status, JSON.stringify(body)).toBe(200)
  await t.runJobs()
  const [latest] = await runsOf(user, id)
  if (!latest) throw new Error('no run')
  return latest
}

async function load(url: string | null | undefined) {
  const answer = await t.app.inject({ url: new URL(url ?? '').pathname })
  return { status: answer.statusCode, file: answer.rawPayload, headers: answer.headers }
}

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
  for (const [place, { status, file }] of loaded.entries()) {
    expect(status).toBe(200)
    expect(createHash('sha256').update(file).digest('hex')).toBe(done.files[place]?.sha256)
    const verified = await t.call('GET', `/verify-report/${done.files[place]?.key}`)
    expect(verified.body.payload).toMatchObject({ fileSha256: done.files[place]?.sha256, devices: 1 })
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
  await road.send(device, [{ at: new Date(today), temperatureC: 4 }])
  const report = await added(admin, wanted(device, { contents: ['readings'], formats: ['csv'] }))
  expect((await run(admin, report.id)).readings).toBe(48)
})

test('its recipients get the PDF and links in their own language, once each; the addresses in the report’s', async () => {
  const { admin, device } = await own()
  const amina = await buildUser(t, { company: admin, role: 'staff', locale: 'sw' })
  const address = `outside${admin.id}@example.test`
  const report = await added(
    admin,
    wanted(device, { locale: 'fr', recipients: [{ userId: amina.id }, { email: amina.email }, { email: address }] }),
  )
  const done = await run(admin, report.id)
  const [mine, ...more] = await mailsTo(t, amina.email)
  expect(more).toHaveLength(0)
  expect(mine?.text).toMatch(/^Habari /)
  expect(mine?.attachments).toMatchObject([{ contentType: 'application/pdf' }])
  const [outside] = await mailsTo(t, address)
  expect(outside?.text).toMatch(/^Bonjour /)
  const link = /https?:\S+report-files\/\S+/.exec(outside?.text ?? '')?.[0]
  expect((await load(link)).file.subarray(0, 5).toString()).toBe('%PDF-')
  expect((await runsOf(admin, report.id))[0]?.mails).toEqual({ sent: 2, total: 2 })
  t.clock.advance(8 * day)
  expect((await load(link)).status).toBe(404)
  expect((await load(done.files[0]?.url)).status).toBe(404)
})

test('links: none without the right to export, none that can be guessed, none once the report is deleted', async () => {
  const { admin, device } = await own()
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  const report = await added(admin, wanted(device, { formats: ['csv'], contents: ['stats'] }))
  const done = await run(admin, report.id)
  const seen = await runsOf(staff, report.id)
  expect(seen[0]?.files[0]).toMatchObject({ url: null, expiresAt: null })
  const url = done.files[0]?.url ?? ''
  expect((await load(`${url.slice(0, -3)}abc`)).status).toBe(404)
  const { rows } = await t.pool.query('select 1 from report_links where encode(token_hash, $1) = $2', [
    'base64',
    url.split('/').at(-1),
  ])
  expect(rows).toHaveLength(0)
  expect((await load(url)).status).toBe(200)
  await t.call('DELETE', `/report/${report.id}`, { token: admin.token })
  expect((await load(url)).status).toBe(404)
})

test('a mail’s links are good only while whom it was for is a recipient, is with the company and may see what they tell', async () => {
  const { admin, device } = await own({ visibility: 'private' })
  const [second, third] = [
    await buildUser(t, { company: admin, role: 'admin' }),
    await buildUser(t, { company: admin, role: 'admin' }),
  ]
  const [outside, stays] = [`leaves${admin.id}@example.test`, `stays${admin.id}@example.test`]
  const people = [{ userId: second.id }, { userId: third.id }]
  const recipients = [...people, { email: outside }, { email: stays }]
  const report = await added(admin, wanted(device, { formats: ['csv'], contents: ['stats'], recipients }))
  const done = await run(admin, report.id)
  const status = async (to: string) => {
    const text = (await mailsTo(t, to)).at(-1)?.text ?? ''
    return (await load(/https?:\S+report-files\/\S+/.exec(text)?.[0])).status
  }
  for (const to of [second.email, third.email, outside, stays]) expect(await status(to), to).toBe(200)
  const asAdmin = (method: 'DELETE' | 'PATCH', path: string, body?: object) =>
    t.call(method, path, { token: admin.token, ...(body && { body }) })
  expect((await asAdmin('PATCH', `/report/${report.id}`, { recipients: [...people, { email: stays }] })).status).toBe(
    200,
  )
  expect(await status(outside)).toBe(404)
  expect((await asAdmin('DELETE', `/users/${second.id}`)).status).toBe(200)
  expect(await status(second.email)).toBe(404)
  expect((await asAdmin('PATCH', `/users/${third.id}`, { role: 'staff' })).status).toBe(200)
  expect(await status(third.email)).toBe(404)
  expect(await status(stays)).toBe(200)
  expect((await load(done.files[0]?.url)).status).toBe(200)
})

test('who is taken off before the mail goes out gets none', async () => {
  const { admin, device } = await own()
  const [leaves, stays] = [`leaves${admin.id}@example.test`, `stays${admin.id}@example.test`]
  const wishes = wanted(device, {
    formats: ['csv'],
    contents: ['stats'],
    recipients: [{ email: leaves }, { email: stays }],
  })
  const report = await added(admin, wishes)
  await run(admin, report.id)
  await t.call('PATCH', `/report/${report.id}`, { token: admin.token, body: { recipients: [{ email: stays }] } })
  // As if the mail server had been away until now.
  const waiting = await inTenant(t.pool, admin.companyId, ({ tx }) =>
    tx
      .updateTable('report_mails')
      .set({ sent_at: null })
      .where('company_id', '=', admin.companyId)
      .returning('id')
      .execute(),
  )
  for (const { id } of waiting) await mailRun.run(t.services, { companyId: admin.companyId, mailId: id })
  expect(await mailsTo(t, leaves)).toHaveLength(1)
  expect(await mailsTo(t, stays)).toHaveLength(2)
})

test('what is private stays so: a Manager sees neither the report of a private device nor the files that tell of one', async () => {
  const { admin, device } = await own({ visibility: 'private' })
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  const hidden = await added(admin, wanted(device))
  expect((await t.call('GET', `/report/${hidden.id}`, { token: manager.token })).status).toBe(404)
  expect((await t.call('GET', `/report/${hidden.id}/runs`, { token: manager.token })).status).toBe(404)
  expect((await t.call('POST', `/report/${hidden.id}/run`, { token: manager.token, body: {} })).status).toBe(404)
  expect((await t.call('GET', '/report', { token: manager.token })).body.payload.data).toEqual([])
  expect((await add(manager, wanted(device))).status).toBe(422)
  const group = await buildGroup(t, admin, { deviceIds: [device.id] })
  const ofGroup = await added(admin, {
    ...wanted(device, { formats: ['csv'], contents: ['stats'] }),
    deviceIds: [],
    groupIds: [group.id],
  })
  const done = await run(admin, ofGroup.id)
  expect(done.files[0]?.url).not.toBeNull()
  expect((await runsOf(manager, ofGroup.id))[0]?.files[0]?.url).toBeNull()
  // Saved by the Manager it tells what the Manager sees: nothing.
  await t.call('PATCH', `/report/${ofGroup.id}`, { token: manager.token, body: { name: 'Mine now' } })
  expect(await run(manager, ofGroup.id)).toMatchObject({ state: 'failed', failure: 'noDevices' })
})

test('of a run about private devices people who may not see them are told that it was made, and get nothing of it', async () => {
  const { admin, device } = await own({ visibility: 'private' })
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  const address = `outside${admin.id}@example.test`
  const recipients = [{ userId: staff.id }, { userId: admin.id }, { email: address }]
  const report = await added(admin, wanted(device, { formats: ['csv'], contents: ['stats'], recipients }))
  const done = await run(admin, report.id)
  const mailTo = async (to: string) => (await mailsTo(t, to)).at(-1)
  const withheld = await mailTo(staff.email)
  expect(withheld?.text).toContain('private devices')
  expect(withheld?.text).not.toContain(done.files[0]?.key)
  expect(JSON.stringify(withheld)).not.toMatch(/report-files|attachments/)
  for (const to of [admin.email, address]) expect((await mailTo(to))?.text).toContain('/report-files/')
})

test('a device whose licence has lapsed tells nothing hidden, one taken out of use what it measured before; neither stops the run', async () => {
  const { admin, device, today } = await own()
  const more = { companyId: admin.companyId, intervalS: 1800, validFrom: new Date(today - 60 * day) }
  const [lapsed, retired, silent] = [await buildDevice(t, more), await buildDevice(t, more), await buildDevice(t, more)]
  for (const each of [lapsed, retired]) await road.send(each, [{ at: new Date(today - 6 * hour), temperatureC: 7 }])
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

test('a device that became private since takes the files of its group’s report from who may not see it', async () => {
  const { admin, device } = await own()
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  const group = await buildGroup(t, admin, { deviceIds: [device.id] })
  const settings = { formats: ['csv'], contents: ['stats'], deviceIds: [], groupIds: [group.id] }
  const report = await added(admin, wanted(device, settings))
  await run(admin, report.id)
  const urlFor = async (user: TestUser) => (await runsOf(user, report.id))[0]?.files[0]?.url
  expect(await urlFor(manager)).toMatch(/^http/)
  await t.call('PATCH', `/devices/${device.id}`, { token: admin.token, body: { visibility: 'private' } })
  expect(await urlFor(manager)).toBeNull()
  expect(await urlFor(admin)).toMatch(/^http/)
})

test('a run whose owner may make no reports any more says so, and builds nothing', async () => {
  const { admin, device } = await own()
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  const report = await added(manager, wanted(device))
  await setMatrix(t, admin.companyId, 'manager', only('reports.view'))
  expect(await run(admin, report.id)).toMatchObject({ state: 'failed', failure: 'notAllowed', files: [] })
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

test('a file that is no longer kept has no link, and its hash is verified still', async () => {
  const { admin, device } = await own()
  const report = await added(admin, wanted(device, { formats: ['csv'], contents: ['stats'] }))
  const done = await run(admin, report.id)
  const keys = await inTenant(t.pool, admin.companyId, ({ tx }) =>
    tx.selectFrom('report_files').select('file_key').where('run_id', '=', done.id).execute(),
  )
  t.clock.advance(401 * day)
  await sweepKept.run(t.services, {})
  const someday = await buildUser(t, { company: admin })
  const later = (await runsOf(someday, report.id))[0]
  expect(later?.files[0]).toMatchObject({ url: null, sha256: done.files[0]?.sha256 })
  expect(later?.files[0]?.removedAt).not.toBeNull()
  expect(await openFiles(t.services.config.dataDir).read(keys[0]?.file_key ?? '')).toBeUndefined()
  const verified = await t.call('GET', `/verify-report/${done.files[0]?.key}`)
  expect(verified.body.payload).toMatchObject({ fileSha256: done.files[0]?.sha256, readings: 48 })
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
