import { beforeEach, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { aCalibration } from '../../../test/export-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { SentFile } from '../../../test/form.ts'
import { trailOf } from '../../../test/trail.ts'
import { calibrationOf } from '../../core/shipments/calibration-queries.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { tellCalibrations } from './jobs.ts'

const t = describeApp()

let admin: TestUser
let device: { id: number | string }
beforeEach(async () => {
  t.clock.set(new Date('2026-03-10T12:00:00Z'))
  admin = await buildUser(t)
  device = await aDevice(t, { companyId: admin.companyId, name: 'Probe 7', visibility: 'public' })
})

const pdf = (text = '%PDF-1.4\n%%EOF\n') => new SentFile('certificate.pdf', text)
const facts = (more: object = {}) => ({
  ...{ deviceId: String(device.id), certificateNo: 'CAL-2026-1', laboratory: 'Cold Lab' },
  ...{ calibratedOn: '2026-03-01', dueOn: '2027-03-01', ...more },
})
const add = (more: object = {}, file = pdf(), user = admin) =>
  t.call('POST', '/export/calibrations', {
    token: user.token,
    body: { certificate: JSON.stringify(facts(more)), file },
  })
const list = async (query = '', user = admin) =>
  (await t.call('GET', `/export/calibrations${query}`, { token: user.token })).body.payload
const inForce = (day: string) =>
  inTenant(t.pool, admin.companyId, async ({ tx }) => {
    const each = await calibrationOf({ tx, companyId: admin.companyId }, [Number(device.id)], day)
    return each.get(Number(device.id))
  })

test('a certificate is added with its file, read and taken out, each with an entry in the trail', async () => {
  const points = [
    { referenceC: 0, readingC: 0.12, uncertaintyC: 0.05 },
    { referenceC: -20, readingC: -19.9, uncertaintyC: null },
  ]
  const added = (await add({ points, channel: 'T1' }, pdf())).body.payload
  expect(added).toMatchObject({
    ...{ certificateNo: 'CAL-2026-1', channel: 'T1', due: 'valid', offsetC: 0.12, points },
    ...{ device: { id: String(device.id), name: 'Probe 7' }, file: { sizeBytes: 15 } },
  })
  const path = `/export/calibrations/${added.id}`
  const file = await t.call('GET', `${path}/certificate`, { token: admin.token })
  expect([file.status, file.headers['content-type'], String(file.body).slice(0, 5)]).toEqual([
    ...[200, 'application/pdf', '%PDF-'],
  ])
  expect((await t.call('DELETE', path, { token: admin.token })).status).toBe(200)
  expect((await t.call('DELETE', path, { token: admin.token })).status).toBe(404)
  expect((await t.call('GET', `${path}/certificate`, { token: admin.token })).status).toBe(404)
  const acts = (await trailOf(t, admin.companyId)).map(({ action }) => action)
  expect(acts.filter((action) => action.startsWith('calibrations.'))).toEqual([
    ...['calibrations.added', 'calibrations.removed'],
  ])
})

test('a newer certificate without a reading at 0 °C does not replace the calibration of the temperature', async () => {
  const points = [{ referenceC: 0, readingC: -0.2, uncertaintyC: null }]
  const { id: first } = (await add({ calibratedOn: '2026-02-01', points })).body.payload
  const { id: second } = (await add({ certificateNo: 'H-1', calibratedOn: '2026-03-01', channel: 'humidity' })).body
    .payload
  expect(await inForce('2026-03-10')).toMatchObject({ certificate_no: 'CAL-2026-1', offset_c: -20 })
  for (const id of [first, second]) await t.call('DELETE', `/export/calibrations/${id}`, { token: admin.token })
})

test('calibrations.csv has each certificate that search and filter leave, with its points, and an entry in the trail', async () => {
  const points = [
    { referenceC: 0, readingC: -0.12, uncertaintyC: 0.05 },
    { referenceC: -20, readingC: -19.9, uncertaintyC: null },
  ]
  await add({ points, channel: 'T1', note: '=1+1' })
  const other = await aDevice(t, { companyId: admin.companyId, name: 'Probe 8', visibility: 'private' })
  await add({
    deviceId: String(other.id),
    certificateNo: 'CAL-2026-2',
    calibratedOn: '2025-03-01',
    dueOn: '2026-03-05',
  })
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  const csv = async (query = '', user = admin) => {
    const { status, headers, body } = await t.call('GET', `/export/calibrations/export${query}`, { token: user.token })
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    return String(body).replace('\uFEFF', '').replaceAll('"', '').trim().split(/\r?\n/)
  }
  const heads =
    'device,channel,certificate_no,laboratory,calibrated_on,due_on,due,offset_at_0_c,points,note,file_sha256,added_by,added_utc'
  const sha256 = (await list('?search=CAL-2026-1')).data[0].file.sha256
  const line = (start: string, rest: string) => `${start},${rest},${sha256},${admin.fullname},2026-03-10T12:00:00.000Z`
  const first = line(
    'Probe 7,T1,CAL-2026-1,Cold Lab,2026-03-01,2027-03-01,valid,-0.12',
    "at 0: -0.12 +-0.05; at -20: -19.9,'=1+1",
  )
  const second = line('Probe 8,,CAL-2026-2,Cold Lab,2025-03-01,2026-03-05,over,', ',')
  expect(await csv()).toEqual([heads, second, first])
  expect(await csv('?sort=device')).toEqual([heads, first, second])
  expect(await csv('?due=over')).toEqual([heads, second])
  expect(await csv('?search=probe%207')).toEqual([heads, first])
  expect(await csv('', manager)).toEqual([heads, first])
  const told = (await trailOf(t, admin.companyId)).filter(({ action }) => action === 'calibrations.exported')
  expect(told.map(({ after }) => after)).toEqual([2, 2, 1, 1, 1].map((count) => ({ count })))
})

test('what is wrong is said at its field', async () => {
  const faults = async (more: object) => {
    const { status, body } = await add(more)
    return [status, Object.keys(body.fields ?? {}).sort()]
  }
  expect(await faults({ dueOn: '2026-03-01' })).toEqual([422, ['certificate.dueOn']])
  expect(await faults({ calibratedOn: '2026-03-20' })).toEqual([422, ['certificate.calibratedOn']])
  expect(await faults({ calibratedOn: '2026-02-30', laboratory: '' })).toEqual([
    ...[422, ['certificate.calibratedOn', 'certificate.laboratory']],
  ])
  expect(await faults({ points: [{ referenceC: 0, readingC: 999, uncertaintyC: null }] })).toEqual([
    ...[422, ['certificate.points.0.readingC']],
  ])
  expect((await add({}, pdf('not a pdf'))).body.code).toMatch(/^FILE_/)
  expect((await add({}, new SentFile('picture.png', '%PDF-1.4\n%%EOF\n'))).body.code).toBe('FILE_MISNAMED')
})

test('the newest certificate until a day is in force, one that was due, too', async () => {
  await aCalibration(t, {
    ...admin,
    deviceId: Number(device.id),
    calibratedOn: '2024-01-10',
    dueOn: '2025-01-10',
    offsetC: 30,
  })
  await aCalibration(t, {
    ...admin,
    deviceId: Number(device.id),
    calibratedOn: '2026-01-10',
    dueOn: '2027-01-10',
    offsetC: -5,
  })
  expect(await inForce('2023-12-31')).toBeUndefined()
  expect(await inForce('2024-06-01')).toMatchObject({ offset_c: 30, due_on: '2025-01-10' })
  expect(await inForce('2025-06-01')).toMatchObject({ offset_c: 30, due_on: '2025-01-10' })
  expect(await inForce('2026-01-10')).toMatchObject({ offset_c: -5, calibrated_on: '2026-01-10' })
})

test('the list tells what is due, soon due and replaced, with counts', async () => {
  const of = (calibratedOn: string, dueOn: string, deviceId = Number(device.id)) =>
    aCalibration(t, { ...admin, deviceId, calibratedOn, dueOn })
  const other = await aDevice(t, { companyId: admin.companyId, name: 'Probe 8' })
  await of('2024-03-01', '2025-03-01')
  await of('2025-03-10', '2026-04-09')
  await of('2025-03-10', '2026-03-10', Number(other.id))
  const all = await list('?sort=dueOn')
  expect(all.data.map(({ dueOn, due }: Record<string, string>) => [dueOn, due])).toEqual([
    ['2025-03-01', 'replaced'],
    ['2026-03-10', 'over'],
    ['2026-04-09', 'soon'],
  ])
  expect(all.filterCounts.due).toEqual({ all: 3, valid: 0, soon: 1, over: 1, replaced: 1 })
  expect((await list('?due=soon')).data).toHaveLength(1)
  expect((await list('?search=probe%208')).data).toHaveLength(1)
  t.clock.advance(-86_400_000)
  expect((await list('?sort=dueOn')).data.map(({ due }: Record<string, string>) => due)).toEqual([
    ...['replaced', 'soon', 'valid'],
  ])
})

test('people are told once 30 days before and once when it is due, and not of what was replaced', async () => {
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  await aCalibration(t, { ...admin, deviceId: Number(device.id), calibratedOn: '2025-03-10', dueOn: '2026-04-20' })
  await aCalibration(t, { ...admin, deviceId: Number(device.id), calibratedOn: '2024-03-10', dueOn: '2026-03-20' })
  const told = async (user: TestUser) => {
    await tellCalibrations.run(t.services, {})
    await tellCalibrations.run(t.services, {})
    const { data } = (await t.call('GET', '/enterprise/notifications', { token: user.token })).body.payload
    return data.map(({ kind, text }: { kind: string; text: string }) => `${kind}: ${text}`)
  }
  expect(await told(admin)).toEqual([])
  t.clock.set(new Date('2026-03-21T12:00:00Z'))
  const soon = expect.stringMatching(/^calibrationDue: The calibration of Probe 7 is due on 20 Apr 2026/)
  expect(await told(admin)).toEqual([soon])
  t.clock.set(new Date('2026-04-20T12:00:00Z'))
  const over = expect.stringMatching(/^calibrationDue: The calibration of Probe 7 was due on 20 Apr 2026/)
  expect(await told(admin)).toEqual([over, soon])
  t.clock.set(new Date('2026-06-01T12:00:00Z'))
  expect(await told(admin)).toHaveLength(2)
  expect(await told(staff)).toHaveLength(2)
})

test('a private device has no certificate for Staff, who is not told of it; another company has none at all', async () => {
  const hidden = await aDevice(t, { companyId: admin.companyId, visibility: 'private' })
  const { id } = await aCalibration(t, {
    ...admin,
    deviceId: Number(hidden.id),
    calibratedOn: '2025-03-01',
    dueOn: '2026-03-15',
  })
  const [staff, stranger] = [await buildUser(t, { company: admin, role: 'staff' }), await buildUser(t)]
  await tellCalibrations.run(t.services, {})
  const lines = async (user: TestUser) =>
    (await t.call('GET', '/enterprise/notifications', { token: user.token })).body.payload.data
  expect([await lines(admin), await lines(staff)]).toMatchObject([[{ kind: 'calibrationDue' }], []])
  for (const user of [staff, stranger]) {
    expect((await list('', user)).data).toEqual([])
    const { status } = await t.call('GET', `/export/calibrations/${id}/certificate`, { token: user.token })
    expect(status).toBe(404)
  }
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  expect((await t.call('DELETE', `/export/calibrations/${id}`, { token: manager.token })).status).toBe(404)
  // Hidden, of another company and absent: the same.
  const elsewhere = await aDevice(t, { companyId: stranger.companyId })
  for (const deviceId of [hidden.id, elsewhere.id, 999_999_999_999]) {
    const { status, body } = await add({ deviceId: String(deviceId) }, undefined, manager)
    expect([status, Object.keys(body.fields)]).toEqual([422, ['certificate.deviceId']])
  }
})
