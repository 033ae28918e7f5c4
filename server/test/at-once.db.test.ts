import { expect, test } from 'vitest'
import { jobs } from '../src/app.ts'
import { sweepRecords } from '../src/features/records/jobs.ts'
import { locksOfCompany } from '../src/platform/db/advisory-locks.ts'
import { anAlarm } from './alarm-factory.ts'
import { changing } from './changed.ts'
import { describeApp } from './describe-app.ts'
import { aDevice } from './device-factory.ts'
import { buildUser, type TestUser } from './factories.ts'
import { lockWaits } from './lock-waits.ts'
import { anOverride } from './rota-factory.ts'
import { aShipmentPlace } from './shipment-factory.ts'
import { trailOf } from './trail.ts'

// Things that two people, or a person and a job, do at once: each waits for a lock that the test holds.

const t = describeApp()

const hour = 3_600_000
const inHours = (hours: number) => new Date(t.clock.now().getTime() + hours * hour).toISOString()

interface Held {
  /** A statement that locks what all of them want; $1 is the company. */
  hold: string
  /** Changes of somebody else, before they get it; $1 is the company. */
  change?: string
}

/** Begins several things while a lock of the company is held, and lets them go on once all of them wait. */
async function atOnce<T>({ companyId }: { companyId: number }, { hold, change }: Held, begin: () => Promise<T>[]) {
  const { begun } = await changing(t.pool, companyId, async ({ client }) => {
    await client.query(hold, [companyId])
    const begun = begin()
    await lockWaits(t.pool, begun.length)
    if (change) await client.query(change, [companyId])
    return { begun }
  })
  return Promise.all(begun)
}

const ask = (user: TestUser, method: 'POST' | 'PUT' | 'DELETE' | 'PATCH', path: string, body?: object) =>
  t.call(method, path, { token: user.token, ...(body && { body }) })
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()

test('of two Admins who remove each other one stays, also where there is a third', async () => {
  const admin = await buildUser(t)
  const [one, other] = [await buildUser(t, { company: admin }), await buildUser(t, { company: admin })]
  const answers = await atOnce(admin, { hold: 'select from companies where company_id = $1 for no key update' }, () => [
    ask(one, 'DELETE', `/users/${other.id}`),
    ask(other, 'DELETE', `/users/${one.id}`),
  ])
  expect(statuses(answers)).toEqual([200, 401])
  const left = await t.rows('select from users where company_id = $1 and archived_at is null', [admin.companyId])
  expect(left).toHaveLength(2)
})

test('an Admin who is made something else meanwhile makes nobody Admin', async () => {
  const admin = await buildUser(t)
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  const held = {
    hold: 'select from companies where company_id = $1 for no key update',
    change: `update users set role = 'manager' where company_id = $1 and role = 'admin'`,
  }
  const [answer] = await atOnce(admin, held, () => [ask(admin, 'PATCH', `/users/${staff.id}`, { role: 'admin' })])
  expect([answer?.status, answer?.body.code]).toEqual([403, 'FORBIDDEN'])
})

async function aRecord(body: object = {}) {
  const admin = await buildUser(t)
  const device = await aDevice(t, admin)
  const made = await ask(admin, 'POST', '/enterprise/record', {
    ...{ name: 'Trip', deviceIds: [String(device.id)], ...body },
  })
  const id: string = made.body.payload.id
  const state = async () =>
    (await t.rows('select state from records where company_id = $1 and id = $2', [admin.companyId, id]))[0]?.state
  return { admin, id, state }
}

test('a note is taken away once', async () => {
  const { admin, id } = await aRecord()
  const { payload: note } = (await ask(admin, 'POST', `/enterprise/record/${id}/notes`, { text: 'Door open' })).body
  const remove = () => ask(admin, 'DELETE', `/enterprise/record-notes/${note.id}`)
  const answers = await atOnce(admin, { hold: 'select from records where company_id = $1 for update' }, () => [
    remove(),
    remove(),
  ])
  expect(statuses(answers)).toEqual([200, 404])
  const removals = (await trailOf(t, admin.companyId)).filter(({ action }) => action === 'records.noteRemoved')
  expect(removals).toHaveLength(1)
})

test.each([
  ['begins', { startAt: 1, endAt: 3 }, 'planned'],
  ['ends', { startAt: 0, endAt: 1 }, 'running'],
])(
  'a record that somebody deletes while its time comes neither begins nor ends: one that %s',
  async (_, times, stays) => {
    const at = (hours: number) => (hours === 0 ? {} : { startAt: inHours(hours) })
    const { admin, state } = await aRecord({ ...at(times.startAt), endAt: inHours(times.endAt) })
    expect(await state()).toBe(stays)
    t.clock.advance(hour + 1)
    const held = {
      hold: 'select from records where company_id = $1 for update',
      change: 'update records set archived_at = now() where company_id = $1',
    }
    await atOnce(admin, held, () => [sweepRecords.run(t.services, {})])
    expect(await state()).toBe(stays)
  },
)

test('a shipment does not leave from an origin that somebody deletes meanwhile', async () => {
  const admin = await buildUser(t)
  const origin = await aShipmentPlace(t, admin)
  const destination = await aShipmentPlace(t, admin, { kind: 'destination' })
  const body = {
    ...{ logistics: 'external', product: 'Oranges', originId: origin.id, destinationId: destination.id },
    legs: [{ mode: 'sea', fromName: 'Cape Town', toName: 'Rotterdam', etd: inHours(24), eta: inHours(400) }],
  }
  const held = {
    hold: 'select from shipment_places where company_id = $1 for update',
    change: `update shipment_places set archived_at = now() where company_id = $1 and kind = 'origin'`,
  }
  const [answer] = await atOnce(admin, held, () => [ask(admin, 'POST', '/export/shipments', body)])
  expect([answer?.status, Object.keys(answer?.body.fields ?? {})]).toEqual([422, ['originId']])
})

test('hardware that a device was given just now is not switched off in the place of what it had before', async () => {
  const admin = await buildUser(t)
  const { id, imei } = await aDevice(t, admin)
  const held = {
    hold: 'select from devices where company_id = $1 for update',
    change: `update assignments set valid_to = valid_from + interval '1 hour' where company_id = $1`,
  }
  const [answer] = await atOnce(admin, held, () => [ask(admin, 'PUT', '/power', { imei, state: 'off' })])
  expect(answer?.status).toBe(404)
  expect(await t.rows('select from device_commands where device_id = $1', [id])).toEqual([])
})

test('an override of a rota is taken back once', async () => {
  const admin = await buildUser(t)
  const { id } = await anOverride(t, admin)
  const remove = () => ask(admin, 'DELETE', `/on-call/overrides/${id}`)
  const hold = `select pg_advisory_xact_lock(${locksOfCompany.rotas}, $1)`
  expect(statuses(await atOnce(admin, { hold }, () => [remove(), remove()]))).toEqual([200, 404])
})

test('a snooze names in the trail the one that it takes the place of, also where that was made just before', async () => {
  const admin = await buildUser(t)
  const device = await aDevice(t, admin)
  const { id } = await anAlarm(t, admin, { deviceIds: [device.id] })
  const held = {
    hold: 'select from alarms where company_id = $1 for update',
    change: `update alarms set snoozed_until = '${inHours(2)}' where company_id = $1`,
  }
  await atOnce(admin, held, () => [ask(admin, 'PATCH', `/alarms/${id}/snooze`, { until: inHours(1) })])
  const snoozed = (await trailOf(t, admin.companyId)).find(({ action }) => action === 'alarms.snoozed')
  expect(snoozed).toMatchObject({ before: { snoozedUntil: inHours(2) }, after: { snoozedUntil: inHours(1) } })
})

test('of two servers that take a report at once one builds it', async () => {
  const admin = await buildUser(t)
  const device = await aDevice(t, admin)
  const period = { from: inHours(-2), to: inHours(-1) }
  const asked = await ask(admin, 'POST', `/devices/${device.id}/history/report`, { ...period, format: 'csv' })
  const build = jobs.find(({ name }) => name === 'device-report')
  const payload = { companyId: admin.companyId, reportId: asked.body.payload.id }
  await atOnce(admin, { hold: 'select from device_reports where company_id = $1 for update' }, () => [
    build?.run(t.services, payload) ?? Promise.reject(new Error('no such job')),
    build?.run(t.services, payload) ?? Promise.reject(new Error('no such job')),
  ])
  const { rows } = await t.pool.query(`select from waiting_jobs where name = 'device-report-mail' and payload = $1`, [
    payload,
  ])
  expect(rows).toHaveLength(1)
})
