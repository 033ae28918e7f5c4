import { createHash } from 'node:crypto'
import { limitPresets } from '@isotherm/contract/device-limits.ts'
import type { GroupReport } from '@isotherm/contract/group-reports.ts'
import { parse } from 'csv-parse/sync'
import { readXlsx } from 'hucre/xlsx'
import { extractTextItems } from 'unpdf'
import { expect, test, vi } from 'vitest'
import { anAlarm } from '../../../test/alarm-factory.ts'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, only, setMatrix, type TestUser } from '../../../test/factories.ts'
import { buildGroup } from '../../../test/group-factory.ts'
import { giveLogo } from '../../../test/logo-factory.ts'
import { mailsTo } from '../../../test/mailed.ts'
import { picturesOf } from '../../../test/pictures-of.ts'

// Each report is a process of its own, which gives way to everything else that a busy machine does.
vi.setConfig({ testTimeout: 180_000 })

const t = describeApp()
const pipeline = describePipeline(t)

const step = 600_000
const iso = (at: number) => new Date(at).toISOString()

async function own(locale = 'en') {
  const admin = await buildUser(t, { locale })
  const company = { companyId: admin.companyId }
  const validFrom = new Date(t.clock.now().getTime() - 40 * 86_400_000)
  const device = async (name: string, temperatures: number[], visibility: 'public' | 'private' = 'public') => {
    const limits = limitPresets.refrigerated
    const made = await aDevice(t, { ...company, name, intervalS: 600, validFrom, visibility, limits })
    const now = t.clock.now().getTime()
    const readings = temperatures.map((temperatureC, i) => ({
      at: new Date(now - (temperatures.length - 1 - i) * step),
      temperatureC,
    }))
    await pipeline.send(made, readings)
    return made
  }
  const period = { from: iso(t.clock.now().getTime() - 86_400_000), to: iso(t.clock.now().getTime()) }
  return { admin, company, device, period }
}

const order = (user: TestUser, body: object) => t.call('POST', '/groups/download-report', { token: user.token, body })

async function build(user: TestUser, body: object): Promise<{ report: GroupReport; file: Buffer }> {
  const { status, body: answer } = await order(user, body)
  expect(status, JSON.stringify(answer)).toBe(200)
  await t.runJobs()
  const report = (await t.call('GET', `/group-reports/${answer.payload.id}`, { token: user.token })).body.payload
  expect(report).toMatchObject({ state: 'ready', progress: 100 })
  const url = `/app/api/v1/group-reports/${report.id}/file`
  const file = await t.app.inject({ url, headers: { authorization: `Bearer ${user.token}` } })
  expect(file.statusCode).toBe(200)
  return { report, file: file.rawPayload }
}

async function textOf(pdf: Buffer): Promise<string> {
  const { items } = await extractTextItems(new Uint8Array(pdf))
  const pages = items.map((page) => page.map(({ str }) => str).join(' '))
  return pages.join('\f').replaceAll(/[ \u2009\u00a0\u202f]+/g, ' ')
}

test('the report of a group is a PDF with every device, the group’s figures, its excursions and numbered pages; it is mailed', async () => {
  const { admin, company, device, period } = await own()
  const van = await device('Van', [5, 5, 9.5, 5])
  const box = await device('=Box', [4, 4, 4])
  const group = await buildGroup(t, company, { name: 'Ikeja route', deviceIds: [van.id, box.id] })
  await giveLogo(t, admin)
  const { report, file } = await build(admin, { ...period, groupId: group.id, format: 'pdf' })
  expect(report).toMatchObject({ groupName: 'Ikeja route', devices: 2, failure: null })
  expect(report.fileSha256).toBe(createHash('sha256').update(file).digest('hex'))
  expect(await picturesOf(file)).toEqual(['300x120'])
  const text = await textOf(file)
  for (const words of ['Ikeja route', 'Van', '=Box', 'Out of range', '9.50 °C', 'Devices with excursions 1'])
    expect(text, words).toContain(words)
  expect(text).toContain(`1 / ${report.pages}`)
  const [mail] = await mailsTo(t, admin.email)
  expect(mail?.subject).toBe('Report of the group Ikeja route')
  expect(mail?.text).toContain(`/groups/${group.id}/group-chart?`)
})

test('cause, owner and note of excursions are printed with their device, in the language of the report', async () => {
  const { admin, company, device, period } = await own('fr')
  const van = await device('Van', [5, 5, 9.5, 5])
  await device('Box', [4, 9.5, 4])
  const group = await buildGroup(t, company, { deviceIds: [van.id] })
  const { payload } = (await t.call('GET', '/excursions', { token: admin.token })).body
  const ofVan = payload.data.filter(({ deviceName }: { deviceName: string }) => deviceName === 'Van')
  const body = { ids: [ofVan[0].id], cause: 'doorOpen', note: 'Livraison du matin', ownerId: admin.id }
  expect((await t.call('PATCH', '/excursions', { token: admin.token, body })).status).toBe(200)
  const { file } = await build(admin, { ...period, groupId: group.id, format: 'pdf' })
  expect(await textOf(file)).toMatch(new RegExp(`Van [^\\f]{0,40} Porte ouverte ${admin.fullname} Livraison du matin`))
})

test('as CSV and XLSX it has a row per device, numbers as numbers and no formula', async () => {
  const { admin, company, device, period } = await own('fr')
  const van = await device('Van', [5, 5, 9.5, 5])
  const box = await device('=1+1', [4, 4, 4])
  const group = await buildGroup(t, company, { deviceIds: [van.id, box.id] })
  const csv = await build(admin, { ...period, groupId: group.id, format: 'csv' })
  const rows = parse(csv.file, { bom: true, columns: true }) as Record<string, string>[]
  expect(rows.map((row) => [row.Appareil, row.Maximum, row.Excursions])).toEqual([
    ["'=1+1", '4', '0'],
    ['Van', '9.5', '1'],
  ])
  const book = await readXlsx((await build(admin, { ...period, groupId: group.id, format: 'xlsx' })).file)
  const [, devices, excursions] = book.sheets
  expect(devices?.rows).toHaveLength(3)
  const cellOf = (title: string) => devices?.rows[2]?.[devices.rows[0]?.indexOf(title) ?? -1]
  expect(cellOf('Maximum')).toBe(9.5)
  // Times are times, as in the other sheets, to the same instant as in the CSV.
  expect(cellOf('Maximum à (UTC)')).toEqual(new Date(String(rows[1]?.['Maximum à (UTC)'])))
  expect(excursions?.rows).toHaveLength(2)
})

test('its contents can be chosen: in the PDF, as sheets, and as the one table of a CSV', async () => {
  const { admin, company, device, period } = await own()
  const van = await device('Van', [5, 5])
  const box = await device('Box', [4, 4, 4])
  await anAlarm(t, company, { name: 'Route alarm', deviceIds: [van.id] })
  t.clock.advance(step)
  await pipeline.send(van, [{ at: t.clock.now(), temperatureC: 9.5 }])
  const group = await buildGroup(t, company, { deviceIds: [van.id, box.id] })
  const wanted = { ...period, groupId: group.id, to: iso(t.clock.now().getTime()) }
  const contents = ['alarms', 'readings']
  const { file, report } = await build(admin, { ...wanted, format: 'pdf', contents })
  const text = await textOf(file)
  for (const words of ['Van Route alarm', 'Box', '9.50']) expect(text, words).toContain(words)
  expect(text).not.toContain('Devices with excursions')
  expect(report.contents).toEqual(contents)
  expect([text.split('\f').length, report.pages]).toEqual([3, 3])
  const book = await readXlsx((await build(admin, { ...wanted, format: 'xlsx', contents })).file)
  expect(book.sheets.map(({ name }) => name)).toEqual(['About this report', 'Alarms', 'Raw data'])
  expect(book.sheets[2]?.rows).toHaveLength(7)
  const { file: csv } = await build(admin, { ...wanted, format: 'csv', contents: ['readings'] })
  const rows = parse(csv, { bom: true, columns: true }) as Record<string, string>[]
  expect(rows.map((row) => row.Device)).toEqual(['Box', 'Box', 'Box', 'Van', 'Van', 'Van'])
})

test('an empty group, and a period without readings, are a report of nothing and no failure', async () => {
  const { admin, company, device, period } = await own()
  const empty = await buildGroup(t, company)
  expect(await textOf((await build(admin, { ...period, groupId: empty.id, format: 'pdf' })).file)).toContain(
    'There are no devices in this group.',
  )
  const silent = await buildGroup(t, company, { deviceIds: [(await device('Silent', [])).id] })
  expect(await textOf((await build(admin, { ...period, groupId: silent.id, format: 'pdf' })).file)).toContain('No data')
})

test('a report with a private device is for Admins; one without, for whoever sees the group and its devices', async () => {
  const { admin, company, device, period } = await own()
  await setMatrix(t, company.companyId, 'staff', only('groups.view', 'groups.export'))
  const [member, other] = [
    await buildUser(t, { company, role: 'staff' }),
    await buildUser(t, { company, role: 'staff' }),
  ]
  const van = await device('Van', [5, 5])
  const vault = await device('Vault', [5, 5], 'private')
  const group = await buildGroup(t, company, { deviceIds: [van.id, vault.id], userIds: [member.id] })
  const wanted = { ...period, groupId: group.id, format: 'csv' }
  const whole = await build(admin, wanted)
  const [own1] = [await build(member, wanted)]
  expect(whole.report.devices).toBe(2)
  expect(own1.report.devices).toBe(1)
  expect(own1.file.toString()).not.toContain('Vault')
  const sees = async (user: TestUser, { report }: { report: GroupReport }) =>
    (await t.call('GET', `/group-reports/${report.id}`, { token: user.token })).status
  expect([await sees(member, whole), await sees(member, own1), await sees(other, own1)]).toEqual([404, 200, 404])
  expect(await sees(admin, own1)).toBe(200)
  const listed = await t.call('GET', `/groups/${group.id}/reports`, { token: member.token })
  expect(listed.body.payload.data.map(({ id }: GroupReport) => id)).toEqual([own1.report.id])
})

test('a group that is hidden while its report is built is told as not visible, and nothing is mailed', async () => {
  const { company, device, period } = await own()
  const manager = await buildUser(t, { company, role: 'manager' })
  const group = await buildGroup(t, company, { deviceIds: [(await device('Van', [5])).id] })
  await setMatrix(t, company.companyId, 'manager', only('groups.view', 'groups.export'))
  const { body } = await order(manager, { ...period, groupId: group.id, format: 'csv' })
  await setMatrix(t, company.companyId, 'manager', only('groups.view'))
  await t.runJobs()
  const report = await t.call('GET', `/group-reports/${body.payload.id}`, { token: manager.token })
  expect(report.body.payload).toMatchObject({ state: 'failed', failure: 'notVisible' })
  expect(await mailsTo(t, manager.email)).toEqual([])
})

test('a report of another company’s group, or of a period that makes no sense, cannot be asked for', async () => {
  const { admin, period } = await own()
  const theirs = await buildGroup(t, await buildUser(t))
  expect((await order(admin, { ...period, groupId: theirs.id, format: 'pdf' })).status).toBe(404)
  const mine = await buildGroup(t, admin)
  const backwards = { from: period.to, to: period.from, groupId: mine.id, format: 'pdf' }
  expect((await order(admin, backwards)).status).toBe(422)
  expect((await order(admin, { ...period, groupId: mine.id, format: 'doc' })).status).toBe(422)
})
