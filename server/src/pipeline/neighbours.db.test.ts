import { expect, onTestFinished, test, vi } from 'vitest'
import { anAlarm } from '../../test/alarm-factory.ts'
import { describeIngest } from '../../test/describe-app.ts'
import type { TestDevice } from '../../test/pipeline-harness.ts'
import { findDifferences } from '../../test/recompute.ts'
import { asPipeline } from '../platform/db/transaction.ts'
import { decode } from './ingest/decode/decode.ts'

const pipeline = describeIngest({ maxWaiting: 100, lanes: 1 })

const start = Date.parse('2026-11-18T00:00:00Z')
const reading = (minute: number, temperatureC: number) => ({
  at: new Date(start + minute * 60_000).toISOString(),
  temperatureC,
})
const countOf = async ({ companyId, id }: TestDevice) =>
  (await pipeline.rows('select 1 from readings where (company_id, device_id) = ($1, $2)', [companyId, id])).length

/** Nothing is stored until it is released. */
const holdThePipeline = () => hold('set local role none; lock table readings in exclusive mode')

/** Nothing of a device is stored until it is released. */
const holdDevice = ({ companyId }: TestDevice) =>
  hold(`set local role pipeline; select from device_latest where company_id = ${companyId} for update`)

async function hold(locks: string) {
  const client = await pipeline.pool.connect()
  await client.query(`begin; ${locks}`)
  let isReleased = false
  const release = async () => {
    if (isReleased) return
    isReleased = true
    await client.query('commit')
    client.release()
  }
  onTestFinished(release)
  return release
}

/** Whether a lane waits for what is held. */
async function isWaiting(): Promise<boolean> {
  const { rows } = await pipeline.pool.query(
    "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  )
  return rows.length > 0
}

test('a company that fills the room for what waits is told to come again, and another company’s reading is taken', async () => {
  const [busy, calm] = [await pipeline.device(), await pipeline.device()]
  const release = await holdThePipeline()
  const many = pipeline.post(busy, { readings: Array.from({ length: 120 }, (_, n) => reading(n, 4)) })
  await vi.waitUntil(() => pipeline.pipeline.gate.waiting >= 120, { timeout: 30_000 })
  expect((await pipeline.post(busy, reading(500, 5))).status).toBe(503)
  const one = pipeline.post(calm, reading(1, 6))
  await vi.waitUntil(() => pipeline.pipeline.gate.waiting >= 121, { timeout: 30_000 })
  await release()
  expect([(await many).answer.accepted, (await one).answer.accepted]).toEqual([120, 1])
})

test('long bodies that waited for their turn fill the room once: the rest is told to come again, and another company has room', async () => {
  const [busy, calm] = [await pipeline.device(), await pipeline.device()]
  const release = await holdThePipeline()
  const long = (n: number) => ({
    readings: Array.from({ length: 120 }, (_, minute) => reading(n * 200 + minute, 4)),
    padding: 'x'.repeat(70_000),
  })
  pipeline.pipeline.pace.spent(busy.companyId, 1_000)
  const statuses: number[] = []
  const sent = [1, 2, 3].map((n) => pipeline.post(busy, long(n)).then(({ status }) => statuses.push(status)))
  await vi.waitUntil(() => statuses.length === 2, { timeout: 30_000 })
  const one = pipeline.post(calm, reading(1, 6))
  await vi.waitUntil(() => pipeline.pipeline.gate.waiting === 121, { timeout: 30_000 })
  await release()
  await Promise.all(sent)
  expect(statuses).toEqual([503, 503, 200])
  expect((await one).answer.accepted).toBe(1)
})

test('messages by MQTT fill the room once while their trackers are looked up, and another company has room', async () => {
  const busy = await pipeline.device()
  const more = await Promise.all([1, 2, 3, 4].map(() => pipeline.device({ companyId: busy.companyId })))
  const calm = await pipeline.device()
  const senders = [busy, ...more]
  const clients = await Promise.all(senders.map((device) => pipeline.connect(device)))
  const readings = Array.from({ length: 60 }, (_, minute) => reading(minute, 4))
  const { directory, gate } = pipeline.pipeline
  const release = await holdThePipeline()
  directory.forget('all')
  const acks = clients.map((client, index) =>
    client.publishAsync(`devices/${senders[index]?.imei}/readings`, JSON.stringify({ readings }), { qos: 1 }),
  )
  await vi.waitUntil(() => gate.waiting >= 120, { timeout: 30_000 })
  const one = pipeline.post(calm, reading(1, 6))
  await vi.waitUntil(() => gate.waiting >= 121, { timeout: 30_000 })
  expect(gate.waiting).toBe(121)
  await release()
  await Promise.all(acks)
  expect((await one).answer.accepted).toBe(1)
})

test('long messages of a company that has sent too much of them wait, by HTTP and MQTT; another company’s are stored', async () => {
  const [busy, calm] = [await pipeline.device(), await pipeline.device()]
  const long = (n: number) => ({ readings: [{ ...reading(n, 4), note: 'x' }], padding: 'x'.repeat(70_000) })
  const [first, second] = [await pipeline.connect(busy), await pipeline.connect(calm)]
  const publish = (client: typeof first, device: TestDevice, n: number) =>
    client.publishAsync(`devices/${device.imei}/readings`, JSON.stringify(long(n)), { qos: 1 })
  pipeline.pipeline.pace.spent(busy.companyId, 1_000)
  const order: string[] = []
  const waiting = [
    pipeline.post(busy, long(1)).then(() => order.push('busy')),
    publish(first, busy, 2).then(() => order.push('busy')),
  ]
  await Promise.all([pipeline.post(calm, long(1)), publish(second, calm, 2)]).then(() => order.push('calm'))
  await Promise.all(waiting)
  expect(order).toEqual(['calm', 'busy', 'busy'])
  expect([await countOf(busy), await countOf(calm)]).toEqual([2, 2])
})

test('a message of more readings than one turn is answered once, with what became of each of them', async () => {
  const device = await pipeline.device()
  const readings: object[] = Array.from({ length: 2_500 }, (_, n) => reading(n, (n % 50) / 10))
  readings[1_700] = reading(1_700, 4_000)
  readings[2_400] = readings[10] ?? {}
  const { answer } = await pipeline.post(device, { readings })
  expect(answer).toMatchObject({ accepted: 2_498, duplicates: 1, rejected: [{ index: 1_700, code: 'INVALID' }] })
  expect(await countOf(device)).toBe(2_498)
  expect(await asPipeline(pipeline.pool, ({ client }) => findDifferences(client, device))).toEqual([])
})

test('a reading that comes after another company’s long messages is stored before the last of them', async () => {
  const [busy, calm] = [await pipeline.device(), await pipeline.device()]
  const order: string[] = []
  const submit = async (device: TestDevice, name: string, sent: object[]) => {
    const tracker = await pipeline.pipeline.directory.find(device.imei)
    if (!tracker) throw new Error('the tracker is unknown')
    const content = decode(Buffer.from(JSON.stringify({ readings: sent })), start, device.imei)
    return () => pipeline.pipeline.submit(tracker, 'http', content).then(() => order.push(name))
  }
  const long = Array.from({ length: 8 }, (_, index) =>
    submit(
      busy,
      `long ${index}`,
      Array.from({ length: 1_000 }, (_, n) => reading(index * 1_000 + n - 6_000, 4)),
    ),
  )
  const all = await Promise.all([...long, submit(calm, 'one', [reading(1, 6)])])
  const release = await holdThePipeline()
  const done = all.map((send) => send())
  await release()
  await Promise.all(done)
  expect(order).toHaveLength(9)
  expect(order.indexOf('one')).toBeLessThan(order.indexOf('long 7'))
})

test('what the clock says of a company’s alarms waits while its readings are being stored, and no other company’s waits with it', async () => {
  const [calm, busy] = [await pipeline.device(), await pipeline.device()]
  for (const device of [calm, busy]) {
    const rule = { kind: 'value', temperatureMaxC: 8, delayMinutes: 5 } as const
    await anAlarm(pipeline, device, { rule, deviceIds: [device.id] })
    await pipeline.post(device, reading(0, 9))
  }
  const openedOf = ({ companyId }: TestDevice) =>
    pipeline.rows('select opened_at is not null as open from alarm_triggers where company_id = $1', [companyId])
  const release = await holdDevice(busy)
  // Old ones are the work of the other writer.
  const stored = pipeline.post(busy, reading(4, 7))
  await vi.waitUntil(isWaiting, { timeout: 30_000 })
  const swept = pipeline.pipeline.sweepAlarms(false)
  await vi.waitUntil(async () => (await openedOf(calm))[0]?.open === true, { timeout: 30_000 })
  expect(await openedOf(busy)).toEqual([{ open: false }])
  await release()
  await Promise.all([stored, swept])
  expect(await openedOf(busy)).toEqual([])
})
