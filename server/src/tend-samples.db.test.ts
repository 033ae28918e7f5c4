import { expect, test, vi } from 'vitest'
import { anAlarm } from '../test/alarm-factory.ts'
import { describeApp, describePipeline } from '../test/describe-app.ts'
import { aDevice } from '../test/device-factory.ts'
import { buildCompany, buildUser, type TestUser } from '../test/factories.ts'
import { buildGroup } from '../test/group-factory.ts'
import { buildKey } from '../test/stock.ts'
import { trailOf } from '../test/trail.ts'
import { tendSamples } from './tend-samples.ts'

// A report is written by a process of its own, which gives way to everything else that a busy machine does.
vi.setConfig({ testTimeout: 180_000 })

const t = describeApp()
describePipeline(t)

const [minute, day] = [60_000, 86_400_000]
const tend = () => tendSamples.run(t.services, {})
const add = ({ token }: TestUser) => t.call('POST', '/devices/sample', { token })
const remove = ({ token }: TestUser) => t.call('DELETE', '/devices/sample', { token })
const one = async ({ token }: TestUser, id: string) => (await t.call('GET', `/devices/${id}`, { token })).body.payload
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]

async function withSample() {
  const company = await buildCompany(t)
  const admin = await buildUser(t, { company })
  const { body } = await add(admin)
  await t.runJobs()
  return { ...company, admin, id: body.payload.id as string, imei: body.payload.imei as string }
}

test('a company gets a sample device with days of history, which goes on measuring like any other', async () => {
  const { admin, id } = await withSample()
  const { token } = admin
  const device = await one(admin, id)
  expect(device).toMatchObject({
    name: 'Sample fridge',
    status: 'live',
    limits: { temperatureMinC: 2, temperatureMaxC: 8 },
    licenceUntil: null,
    waiting: [],
    sampleUntil: new Date(t.clock.now().getTime() + 30 * day).toISOString(),
  })
  const period = { from: new Date(t.clock.now().getTime() - 5 * day).toISOString(), to: t.clock.now().toISOString() }
  const history = await t.call('GET', `/devices/${id}/history`, { token, query: { ...period, perPage: '1' } })
  expect(history.body.payload.meta.total).toBe(4 * 288)
  const excursions = await t.call('GET', `/devices/${id}/excursion`, { token, query: period })
  expect(excursions.body.payload.data.length).toBeGreaterThan(0)
  t.clock.advance(10 * minute)
  await tend()
  const later = await one(admin, id)
  expect(Date.parse(later.latest.measuredAt)).toBeGreaterThan(t.clock.now().getTime() - 5 * minute)
})

test('it takes no licence, is no first step, and is nobody’s to claim', async () => {
  const { admin, id, imei } = await withSample()
  const { token } = admin
  const figures = (await t.call('GET', '/users/dashboard', { token })).body.payload
  expect(figures).toMatchObject({ sampleDeviceId: id, licences: { places: 0, taken: 0, expired: 0 } })
  const steps = Object.fromEntries(
    figures.firstSteps.map((one: { step: string; isDone: boolean }) => [one.step, one.isDone]),
  )
  expect(steps).toMatchObject({ device: false, limits: false })
  const other = await buildUser(t)
  const body = { imei, licenceKey: await buildKey(t), name: 'Mine' }
  expect(codeOf(await t.call('POST', '/devices/setup', { token: other.token, body }))).toEqual([400, 'CLAIM_REFUSED'])
  expect((await t.call('GET', '/users/dashboard', { token: other.token })).body.payload.sampleDeviceId).toBeNull()
})

test('a company has one of them; of two people who add it at once, one is refused', async () => {
  const company = await buildCompany(t)
  const people = [await buildUser(t, { company }), await buildUser(t, { company, role: 'manager' })]
  const answers = await Promise.all(people.map(add))
  expect(answers.map(codeOf).sort()).toEqual([
    [200, undefined],
    [400, 'SAMPLE_EXISTS'],
  ])
  expect((await add(await buildUser(t, { company, role: 'staff' }))).status).toBe(403)
})

test('it does what it is asked: paused it is silent, and started again it has a gap', async () => {
  const { admin, id } = await withSample()
  const change = (body: object) => t.call('PATCH', `/devices/${id}`, { token: admin.token, body })
  await change({ transmission: 'paused' })
  await tend()
  expect(await one(admin, id)).toMatchObject({ status: 'paused', waiting: [] })
  const { latest } = await one(admin, id)
  t.clock.advance(60 * minute)
  await tend()
  expect((await one(admin, id)).latest).toEqual(latest)
  await change({ transmission: 'started', intervalS: 180 })
  await tend()
  t.clock.advance(10 * minute)
  await tend()
  expect(await one(admin, id)).toMatchObject({ status: 'live', intervalS: 180, waiting: [] })
  const query = { from: latest.measuredAt, to: t.clock.now().toISOString() }
  const { data } = (await t.call('GET', `/devices/${id}/history`, { token: admin.token, query })).body.payload
  expect(data.length).toBeLessThan(6)
})

test('it takes no licence, no hardware and no other name, and is in no record with real devices', async () => {
  const { admin, companyId, id, imei } = await withSample()
  const { token } = admin
  const licenceKey = await buildKey(t)
  const refused = [400, 'SAMPLE_DEVICE']
  expect(codeOf(await t.call('PATCH', '/device', { token, body: { imei, licenceKey } }))).toEqual(refused)
  const real = await aDevice(t, { companyId, name: 'Real' })
  const swap = { newImei: real.imei }
  expect(codeOf(await t.call('POST', `/devices/${id}/swap`, { token, body: swap }))).toEqual(refused)
  const renamed = await t.call('PATCH', `/devices/${id}`, { token, body: { name: 'Fridge' } })
  expect([renamed.status, renamed.body.fields?.name?.[0]]).toEqual([422, expect.stringContaining('says everywhere')])
  const csv = `imei,name\n${imei},Fridge\n`
  const bulk = await t.call('POST', '/devices/setup/bulk', { token, body: { csv, dryRun: false } })
  expect(bulk.body.payload).toMatchObject({ applied: false, rows: [{ problems: [{ column: 'name' }] }] })
  const record = { name: 'Trip', startAt: t.clock.now().toISOString(), deviceIds: [id, String(real.id)] }
  expect((await t.call('POST', '/enterprise/record', { token, body: record })).status).toBe(422)
  const group = await buildGroup(t, { companyId }, { deviceIds: [Number(id), real.id] })
  const { body } = await t.call('POST', `/grouprecords/${group.id}`, {
    token,
    body: { name: 'Trip', startAt: record.startAt },
  })
  expect(await t.rows('select device_id from record_devices where record_id = $1', [body.payload.id])).toEqual([
    { device_id: real.id },
  ])
})

test('beside real devices it is in no report, chart or totals of a group; alone it is', async () => {
  const { admin, companyId, id } = await withSample()
  const { token } = admin
  const real = await aDevice(t, { companyId, name: 'Real', readings: [{ at: t.clock.now(), temperatureC: 5 }] })
  const alone = await buildGroup(t, { companyId }, { deviceIds: [Number(id)] })
  const both = await buildGroup(t, { companyId }, { deviceIds: [Number(id), real.id] })
  const now = t.clock.now().getTime()
  const period = { from: new Date(now - day).toISOString(), to: new Date(now).toISOString() }
  const figuresOf = async ({ id }: { id: string }) => {
    const totals = (await t.call('GET', `/groupStats/${id}`, { token })).body.payload.temperature
    const { lines } = (await t.call('GET', `/groups/${id}/chart`, { token, query: period })).body.payload
    const order = { ...period, groupId: id, format: 'csv' }
    const report = (await t.call('POST', '/groups/download-report', { token, body: order })).body.payload
    await t.runJobs()
    const { devices } = (await t.call('GET', `/group-reports/${report.id}`, { token })).body.payload
    const names = lines.map(({ name }: { name: string }) => name)
    return [totals.devices, totals.readings, names, devices]
  }
  expect(await figuresOf(both)).toEqual([1, 1, ['Real'], 1])
  expect(await figuresOf(alone)).toEqual([1, 288, ['Sample fridge'], 1])
  expect((await t.call('GET', `/groups/${both.id}/devices`, { token })).body.payload.meta.total).toBe(2)
})

test('beside real devices no scheduled report tells of it; one that tells of it alone goes with it', async () => {
  const { admin, companyId, id } = await withSample()
  const { token } = admin
  const real = await aDevice(t, { companyId })
  const save = async (name: string, deviceIds: string[]) => {
    const body = { name, cadence: 'daily', timezone: 'UTC', contents: ['stats'], formats: ['csv'], deviceIds }
    return (await t.call('POST', '/report', { token, body })).body.payload.id as string
  }
  const [alone, both] = [await save('Alone', [id]), await save('Both', [id, String(real.id)])]
  for (const report of [alone, both]) await t.call('POST', `/report/${report}/run`, { token, body: {} })
  await t.runJobs()
  const run = async (report: string) =>
    (await t.call('GET', `/report/${report}/runs`, { token })).body.payload.data[0].devices
  expect([await run(alone), await run(both)]).toEqual([1, 1])
  const csv = await t.rows('select device_ids from report_runs where company_id = $1 and report_id = $2', [
    companyId,
    both,
  ])
  expect(csv).toEqual([{ device_ids: [real.id] }])
  await remove(admin)
  await t.runJobs()
  const left = (await t.call('GET', '/report', { token })).body.payload.data
  expect(left.map(({ name }: { name: string }) => name)).toEqual(['Both'])
})

test('nobody removes it who may not, nor another company; of two who remove it at once one is in the audit trail', async () => {
  const company = await withSample()
  const { admin, companyId, id } = company
  expect((await remove(await buildUser(t, { company, role: 'staff' }))).status).toBe(403)
  expect((await remove(await buildUser(t))).status).toBe(200)
  expect((await one(admin, id)).status).toBe('live')
  await t.call('PATCH', `/devices/${id}`, { token: admin.token, body: { visibility: 'private' } })
  const manager = await buildUser(t, { company, role: 'manager' })
  expect((await remove(manager)).status).toBe(200)
  expect((await one(admin, id)).status).toBe('live')
  await Promise.all([remove(admin), remove(admin)])
  await Promise.all([tend(), tend()])
  const removals = (await trailOf(t, companyId)).filter(({ action }) => action === 'devices.sampleRemoved')
  expect(removals).toHaveLength(1)
  expect((await t.call('GET', `/devices/${id}`, { token: admin.token })).status).toBe(404)
})

test('removed, it goes with all that hangs on it, and other devices and the audit trail stay', async () => {
  const { admin, companyId, id } = await withSample()
  const { token } = admin
  const real = await aDevice(t, {
    companyId,
    limits: { temperatureMaxC: 8 },
    readings: [{ at: t.clock.now(), temperatureC: 9 }],
  })
  await anAlarm(t, admin, {
    deviceIds: [Number(id)],
    userIds: [admin.id],
    rule: { kind: 'value', temperatureMinC: 7 },
  })
  const both = await anAlarm(t, admin, { deviceIds: [Number(id), real.id] })
  await buildGroup(t, { companyId }, { deviceIds: [Number(id), real.id] })
  for (let n = 0; n < 3; n++) {
    t.clock.advance(5 * minute)
    await tend()
  }
  const [trigger] = (await t.call('GET', '/alarm-triggers', { token })).body.payload.data
  expect(trigger).toMatchObject({ deviceId: id })
  await t.call('POST', `/alarm-triggers/${trigger.id}/comments`, { token, body: { text: 'tried' } })
  const record = { name: 'Trip', startAt: new Date(t.clock.now().getTime() - day).toISOString(), deviceIds: [id] }
  const made = await t.call('POST', '/enterprise/record', { token, body: { ...record, note: 'tried' } })
  expect(made.status).toBe(200)
  const period = { from: new Date(t.clock.now().getTime() - day).toISOString(), to: t.clock.now().toISOString() }
  await t.call('POST', `/devices/${id}/history/report`, { token, body: { ...period, format: 'csv' } })
  await t.call('POST', `/devices/${id}/share-links`, { token, body: { label: 'Tried', hours: 1 } })
  await t.runJobs()
  const before = await leftOf(companyId, Number(id))
  expect(Object.keys(before)).toEqual(
    expect.arrayContaining([
      'readings',
      'alarm_triggers',
      'record_devices',
      'device_reports',
      'excursions',
      'group_devices',
    ]),
  )
  const ofReal = await leftOf(companyId, real.id)

  expect((await remove(admin)).status).toBe(200)
  const { data } = (await t.call('GET', '/devices', { token })).body.payload
  expect(data.map((device: { id: string }) => device.id)).toEqual([String(real.id)])
  await t.runJobs()
  expect(await leftOf(companyId, Number(id))).toEqual({})
  expect(await leftOf(companyId, real.id)).toEqual(ofReal)
  expect(await t.rows('select id from records where company_id = $1', [companyId])).toEqual([])
  expect(await t.rows('select id from trigger_comments where company_id = $1', [companyId])).toEqual([])
  const alarms = await t.rows('select id from alarms where company_id = $1 and archived_at is null', [companyId])
  expect(alarms.map((alarm) => alarm.id)).toEqual([both.id])
  const actions = (await trailOf(t, companyId)).map(({ action }) => action)
  expect(actions).toEqual(expect.arrayContaining(['devices.added', 'records.made', 'devices.sampleRemoved']))
  expect((await add(admin)).status).toBe(200)
})

test('it goes by itself after 30 days, which the audit trail says', async () => {
  const { admin, companyId, id } = await withSample()
  t.clock.advance(30 * day - minute)
  await tend()
  expect(await one(admin, id)).toMatchObject({ id, status: 'live' })
  t.clock.advance(2 * minute)
  // Two servers, each with its jobs.
  await Promise.all([tend(), tend()])
  expect((await t.call('GET', `/devices/${id}`, { token: admin.token })).status).toBe(404)
  const [before, last] = (await trailOf(t, companyId)).slice(-2)
  expect(last).toMatchObject({ action: 'devices.sampleRemoved', actor: { kind: 'system' }, target: { id } })
  expect(before?.action).not.toBe('devices.sampleRemoved')
})

test('the database deletes no reading, record or device that is none of a sample', async () => {
  const { id, companyId } = await aDevice(t, { readings: [{ at: t.clock.now(), temperatureC: 5 }] })
  const asPipeline = (sql: string) => t.rows(`${sql} returning 1 as gone`, [companyId])
  expect(await asPipeline('delete from readings where company_id = $1')).toEqual([])
  expect(await asPipeline('delete from device_latest where company_id = $1')).toEqual([])
  expect(await asPipeline('delete from records where company_id = $1')).toEqual([])
  expect(await asPipeline('delete from devices where company_id = $1')).toEqual([])
  expect(await t.rows('select id from devices where company_id = $1', [companyId])).toEqual([{ id }])
})

test('whatever refers to a device or a record goes with it, but for what sample devices are kept out of', async () => {
  const staying = await t.rows<{ name: string }>(`select conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and conparentid = 0 and confrelid in ('devices'::regclass, 'records'::regclass) and confdeltype <> 'c' order by 1`)
  expect(staying.map(({ name }) => name)).toEqual([
    ...['calibrations', 'order_devices', 'order_notices', 'order_warnings', 'orders', 'record_devices'],
    ...['shipment_devices', 'shipments', 'vehicles'],
  ])
})

/** How many rows the tables that name a device have of one. */
async function leftOf(companyId: number, id: number): Promise<Record<string, number>> {
  const tables = await t.rows<{ name: string }>(`
    select c.table_name as name from information_schema.columns c join pg_class k on k.oid = c.table_name::regclass
    where c.column_name = 'device_id' and c.table_schema = 'public' and not k.relispartition
      and has_table_privilege('pipeline', k.oid, 'select') order by 1`)
  const found: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = await t.rows<{ n: number }>(
      `select count(*)::int as n from ${name} where company_id = $1 and device_id = $2`,
      [companyId, id],
    )
    if (row && row.n > 0) found[name] = row.n
  }
  return found
}
