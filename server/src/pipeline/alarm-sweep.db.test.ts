import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { anAlarm } from '../../test/alarm-factory.ts'
import { manyDevices } from '../../test/device-factory.ts'
import { startTestPipeline, type TestDevice, type TestPipeline } from '../../test/pipeline-harness.ts'
import { readsOf } from '../../test/reads-of.ts'
import { asPipeline } from '../platform/db/transaction.ts'
import { findSilent } from './alarm-sweep.ts'
import { laneOf } from './lane-of.ts'

let t: TestPipeline
beforeAll(async () => {
  t = await startTestPipeline({ lanes: 2, sweepsByItself: true })
})
afterAll(() => t.close())

/** Ends the connections of a lane and holds it from then on, as another server would. */
async function takeAway(lane: number): Promise<pg.Client> {
  const other = new pg.Client(t.databaseUrl)
  await other.connect()
  onTestFinished(() => other.end())
  const taken = other.query('select pg_advisory_lock(4919, $1)', [lane])
  // Other test files have lanes of the same name on this PostgreSQL.
  await t.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and datname = current_database()',
    [`isotherm lane ${lane}`],
  )
  await taken
  return other
}

const laneWith = ({ companyId, id }: TestDevice) => laneOf(companyId, id, 2)
const sweeps = () => vi.spyOn(t.pipeline, 'sweepAlarms')

test('a lane that was taken is asked for silence at once, and not when its turn comes', async () => {
  const swept = sweeps()
  onTestFinished(() => swept.mockRestore())
  const asked = () => swept.mock.calls.map(([withSilence]) => withSilence)
  // Right after a sweep that asked for silence there are nine that do not.
  await vi.waitUntil(() => asked().includes(true) && !asked().at(-1), { timeout: 60_000 })
  const other = await takeAway(0)
  const before = asked().length
  await other.query('select pg_advisory_unlock_all()')
  await vi.waitUntil(() => asked().slice(before).includes(true), { timeout: 60_000 })
  expect(asked().slice(before).indexOf(true)).toBeLessThan(7)
})

test('a sweep does not wait for a lane that another server holds, and tells of its silent devices later', async () => {
  const here = await t.device()
  const fleet = [here]
  while (fleet.every((device) => laneWith(device) === laneWith(here)))
    fleet.push(await t.device({ companyId: here.companyId }))
  const there = fleet.at(-1)!
  await anAlarm(t, here, { rule: { kind: 'noData', afterMinutes: 30 }, deviceIds: [here.id, there.id] })
  const at = t.clock.now().getTime()
  for (const device of [here, there])
    await t.post(device, { readings: [{ at: new Date(at).toISOString(), temperatureC: 5 }] })
  const missed = async () =>
    (
      await t.rows<{ id: number }>(
        'select device_id as id from alarm_triggers where company_id = $1 and opened_at is not null',
        [here.companyId],
      )
    ).map(({ id }) => id)
  const other = await takeAway(laneWith(there))
  t.clock.set(new Date(at + 40 * 60_000).toISOString())
  await t.pipeline.sweepAlarms(true)
  expect(await missed()).toEqual([here.id])
  await other.query('select pg_advisory_unlock_all()')
  await vi.waitFor(async () => expect(new Set(await missed())).toEqual(new Set([here.id, there.id])), {
    timeout: 60_000,
  })
})

test('who is silent is asked once of all that alarms watch, and not of every device for each alarm', async () => {
  const { companyId } = await t.device()
  const [others, watched, alarms] = [600, 40, 15]
  const ids = await manyDevices(t, { companyId }, others)
  const now = t.clock.now()
  await asPipeline(t.pool, ({ client }) =>
    client.query(
      'insert into device_latest (company_id, device_id, measured_at, received_at) select $1, unnest($2::int4[]), $3, $3',
      [companyId, ids, now],
    ),
  )
  for (let n = 0; n < alarms; n += 1) {
    const deviceIds = ids.slice(n * watched, (n + 1) * watched)
    await anAlarm(t, { companyId }, { rule: { kind: 'noData', afterMinutes: 30 }, deviceIds })
  }
  await t.pool.query('analyze devices, device_latest, alarm_targets, alarms')
  const later = new Date(now.getTime() + 3_600_000)
  const { rows } = await readsOf(t.pool, 'pipeline', { table: 'device_latest', having: 'freeSince' }, async () => {
    const silent = await findSilent(t.pool, later)
    expect(silent.filter((one) => one.companyId === companyId)).toHaveLength(alarms * watched)
  })
  expect(rows).toBeLessThan(3 * others)
})
