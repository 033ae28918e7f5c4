import { expect, test } from 'vitest'
import { signTrails } from '../src/features/audit/jobs.ts'
import { startFlights } from '../src/features/device-life/jobs.ts'
import { sweepSnoozes } from '../src/features/order-life/jobs.ts'
import { sweepRecords } from '../src/features/records/jobs.ts'
import type { Job } from '../src/platform/services.ts'
import { describeApp } from './describe-app.ts'
import { aDevice } from './device-factory.ts'
import { dispatchOf } from './dispatch-scene.ts'
import { buildUser, type TestUser } from './factories.ts'
import { buildRecord } from './record-factory.ts'

const t = describeApp()

const hour = 3_600_000
const inAnHour = () => new Date(t.clock.now().getTime() + hour)

/** Runs a job while the database takes no row of one company in a table. */
async function runWithout(job: Job<Record<string, never>>, table: string, companyId: number): Promise<void> {
  await t.pool.query(`alter table ${table} add constraint nothing_of_one check (company_id <> ${companyId}) not valid`)
  try {
    await job.run(t.services, {})
  } finally {
    await t.pool.query(`alter table ${table} drop constraint nothing_of_one`)
  }
}

async function twoCompanies(): Promise<[TestUser, TestUser]> {
  return [await buildUser(t), await buildUser(t)]
}

test('a record that cannot be begun or ended keeps no other company’s from it', async () => {
  const [one, two] = await twoCompanies()
  const made = async ({ companyId }: TestUser) => [
    (await buildRecord(t, { companyId, state: 'planned', startAt: inAnHour() })).id,
    (await buildRecord(t, { companyId, state: 'running', endAt: inAnHour() })).id,
  ]
  const [ofOne, ofTwo] = [await made(one), await made(two)]
  t.clock.advance(2 * hour)
  await runWithout(sweepRecords, 'audit_log', one.companyId)
  const states = async (ids: string[]) =>
    (await t.rows<{ state: string }>('select state from records where id = any($1) order by id', [ids])).map(
      ({ state }) => state,
    )
  expect([await states(ofOne), await states(ofTwo)]).toEqual([
    ['planned', 'running'],
    ['running', 'ended'],
  ])
  await sweepRecords.run(t.services, {})
  expect(await states(ofOne)).toEqual(['running', 'ended'])
})

test('a flight that cannot begin keeps no other company’s on the ground', async () => {
  const people = await twoCompanies()
  for (const { token, companyId } of people) {
    const { id } = await aDevice(t, { companyId })
    const scheduledDepartureDate = inAnHour().toISOString()
    const body = { carrierCode: 'ET', flightNumber: '904', scheduledDepartureDate }
    expect((await t.call('PATCH', `/devices/${id}/flight-mode`, { token, body })).status).toBe(200)
  }
  t.clock.advance(2 * hour)
  await runWithout(startFlights, 'audit_log', people[0].companyId)
  const state = async ({ companyId }: TestUser) =>
    (await t.rows<{ state: string }>('select state from flight_modes where company_id = $1', [companyId]))[0]?.state
  expect([await state(people[0]), await state(people[1])]).toEqual(['awaiting', 'on'])
})

test('a snooze that cannot end keeps no other company’s stop asleep', async () => {
  const scenes = [await dispatchOf(t), await dispatchOf(t)] as const
  for (const d of scenes) {
    const order = await d.order()
    await d.done(d.act(order, 'start'))
    await d.done(d.ofStop(order, 'snooze', { until: inAnHour().toISOString() }))
  }
  t.clock.advance(2 * hour)
  await runWithout(sweepSnoozes, 'order_events', scenes[0].companyId)
  const asleep = await t.rows<{ companyId: number }>(
    'select company_id as "companyId" from order_receivers where snoozed_until is not null',
  )
  expect(asleep).toEqual([{ companyId: scenes[0].companyId }])
})

test('a trail that cannot be signed keeps no other company’s from it', async () => {
  const people = await twoCompanies()
  for (const { token, id } of people) await t.call('PATCH', `/users/${id}`, { token, body: { fullname: 'Ada Obi' } })
  t.clock.advance(2 * hour)
  await runWithout(signTrails, 'audit_checkpoints', people[0].companyId)
  const signed = await t.rows<{ companyId: number }>(
    'select distinct company_id as "companyId" from audit_checkpoints where company_id = any($1)',
    [people.map(({ companyId }) => companyId)],
  )
  expect(signed).toEqual([{ companyId: people[1].companyId }])
})
