import mqtt from 'mqtt'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { anAlarm } from '../../../test/alarm-factory.ts'
import { joinTestCluster } from '../../../test/join-test-cluster.ts'
import { startTestPipeline, type TestDevice, type TestPipeline } from '../../../test/pipeline-harness.ts'
import { changeSecret } from '../../core/provider/hardware.ts'
import type { Cluster } from '../../platform/cluster/cluster.ts'
import { keyFaults } from '../../platform/cluster/key-faults.ts'
import { createPool, type Pool } from '../../platform/db/pool.ts'
import { asLogin } from '../../platform/db/transaction.ts'
import { authenticate } from '../ingest/authenticate.ts'
import { decode } from '../ingest/decode/decode.ts'
import { ingestByMqtt } from '../ingest/mqtt.ts'
import { Pipeline } from '../pipeline.ts'
import { settleLaneCount } from './lane-queries.ts'

// A busy machine takes its time, and a dead node is believed to live for four seconds.
const patient = { timeout: 60_000, interval: 20 }
const lanes = 8

interface Node {
  pipeline: Pipeline
  cluster: Cluster
  pool: Pool
}

let t: TestPipeline
const nodes: Node[] = []

async function startNode(): Promise<Node> {
  const cluster = await joinTestCluster(t)
  const pool = createPool(t.databaseUrl, 4, () => {})
  const pipeline = new Pipeline({ ...t.options, pool, lanes, cluster, metrics: t.metrics(), answerWithinMs: 60_000 })
  await pipeline.start()
  const node = { pipeline, cluster, pool }
  nodes.push(node)
  return node
}

async function stopNode({ pipeline, cluster, pool }: Node) {
  await cluster.drain()
  await pipeline.stop()
  await cluster.leave()
  await pool.end()
}

beforeAll(async () => {
  t = await startTestPipeline()
  await t.pipeline.stop()
  for (let n = 0; n < 3; n++) await startNode()
})

afterAll(async () => {
  for (const node of nodes) await stopNode(node)
  await t.close()
})

/** A tracker says something to a node; resolves once it is committed. */
async function say({ pipeline }: Node, device: TestDevice, body: object) {
  const tracker = await pipeline.directory.find(device.imei)
  if (!tracker) throw new Error('the tracker is unknown')
  return pipeline.submit(tracker, 'http', decode(Buffer.from(JSON.stringify(body)), pipeline.now(), device.imei))
}

/** Says a reading that is stored once, perhaps at a second try: what a node that leaves or seems dead had stored is a duplicate then. */
async function sayOnce(node: Node, device: TestDevice, body: object) {
  const { accepted, duplicates, rejected } = await say(node, device, body)
  expect([accepted + duplicates, rejected]).toEqual([1, []])
}

const reading = (minute: number, temperatureC = 5) => ({
  readings: [{ at: new Date(Date.parse('2026-11-20T10:00:00Z') + minute * 60_000).toISOString(), temperatureC }],
})

/** The holder of each lane, by PostgreSQL's own locks. */
const holders = () =>
  t.rows<{ lane: number; name: string }>(
    `select l.objid::int as lane, a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.classid = 4919 and l.granted and l.database = (select oid from pg_database where datname = current_database())
     order by 1`,
  )

const allHeld = (by: readonly Node[]) =>
  vi.waitFor(async () => {
    const held = await holders()
    expect(held.map(({ lane }) => lane)).toEqual(Array.from({ length: lanes }, (_, lane) => lane))
    const ids = new Set(held.map(({ name }) => name.split(' ').at(-1)))
    expect(ids).toEqual(new Set(by.map(({ cluster }) => cluster.members.id)))
  }, patient)

async function devices(count: number): Promise<TestDevice[]> {
  const companyId = await t.company()
  const made: TestDevice[] = []
  for (let n = 0; n < count; n++) made.push(await t.device({ companyId }))
  return made
}

test('any node takes in what a device says, its lane stores it once, and all lanes are held', async () => {
  await allHeld(nodes)
  const fleet = await devices(lanes)
  for (const [index, node] of nodes.entries()) for (const device of fleet) await sayOnce(node, device, reading(index))
  for (const device of fleet) expect(await t.readingsOf(device)).toHaveLength(nodes.length)
  // Said again to another node: a duplicate, wherever it is taken in.
  for (const node of nodes) expect(await say(node, fleet[0]!, reading(0))).toMatchObject({ accepted: 0, duplicates: 1 })
})

test('what cannot be stored is told by the node that took it in, raw and with its place', async () => {
  const [device] = await devices(1)
  for (const node of nodes) {
    const outcome = await say(node, device!, {
      readings: [reading(1).readings[0], { at: '1999-01-01T00:00:00Z', temperatureC: 4 }],
    })
    expect(outcome.rejected).toEqual([{ index: 1, code: 'TOO_OLD' }])
  }
  const [kept] = await t.rejectedOf(device!)
  expect(JSON.parse(String(kept?.payload))).toMatchObject({ temperatureC: 4 })
})

test('a new value of a stored reading is a conflict on every node', async () => {
  const [device] = await devices(1)
  await say(nodes[0]!, device!, reading(3, 5))
  for (const node of nodes)
    expect(await say(node, device!, reading(3, 6))).toMatchObject({ rejected: [{ index: 0, code: 'CONFLICT' }] })
  expect(await t.readingsOf(device!)).toMatchObject([{ temperature_centi: 500 }])
})

test('a stretch is judged again by the node that holds the lane', async () => {
  const [device] = await devices(1)
  await say(nodes[0]!, device!, reading(5))
  const from = Date.parse('2026-11-20T00:00:00Z')
  for (const { pipeline } of nodes) await pipeline.recompute(device!.companyId, device!.id, from, from + 86_400_000)
})

test('silence in a sandbox that is wound is told in its step, whichever nodes hold the lanes, and by no sweep in between', async () => {
  await allHeld(nodes)
  const fleet = await devices(lanes)
  const { companyId } = fleet[0]!
  const minutesLater = (minutes: number) => new Date(Date.parse('2026-11-20T10:00:00Z') + minutes * 60_000)
  await t.change(companyId, 'insert into sandbox_clocks (company_id, began_at, at, winds_to) values ($1, $2, $2, $3)', [
    companyId,
    minutesLater(0),
    minutesLater(180),
  ])
  const rule = { kind: 'noData', afterMinutes: 60 }
  await anAlarm(t, { companyId }, { rule, deviceIds: fleet.map(({ id }) => id) })
  const { pipeline } = nodes[0]!
  for (const { imei } of fleet) {
    const tracker = await pipeline.directory.find(imei)
    const content = decode(Buffer.from(JSON.stringify(reading(0, 12))), pipeline.now(), imei)
    const outcome = await pipeline.submit(tracker!, 'http', content, minutesLater(0).getTime())
    expect(outcome.accepted + outcome.duplicates).toBe(1)
  }
  const windTo = (minutes: number) =>
    t.change(companyId, 'update sandbox_clocks set at = $2 where company_id = $1', [companyId, minutesLater(minutes)])
  const opened = () =>
    t.rows<{ device_id: number; condition: string; opened_at: Date }>(
      'select device_id, condition, opened_at from alarm_triggers where company_id = $1 and opened_at is not null order by 1, 2',
      [companyId],
    )
  await windTo(30)
  await nodes[1]!.pipeline.sweepSandbox(companyId)
  expect(await opened()).toEqual([])
  await windTo(90)
  // Each node's own sweep leaves it to who winds the clock: the readings of the step may be on their way.
  for (const { pipeline } of nodes) await pipeline.sweepAlarms(true)
  expect(await opened()).toEqual([])
  await nodes[1]!.pipeline.sweepSandbox(companyId)
  expect(await opened()).toEqual(
    fleet.map(({ id }) => ({ device_id: id, condition: 'noData', opened_at: minutesLater(60) })),
  )
})

test('what was proved by a former secret belongs to nobody', async () => {
  const [device] = await devices(1)
  await allHeld(nodes)
  const tracker = { ...(await nodes[0]!.pipeline.directory.find(device!.imei))!, secretHash: Buffer.alloc(32) }
  const content = decode(Buffer.from(JSON.stringify(reading(7))), t.clock.now().getTime(), device!.imei)
  const outcomes = await Promise.all(
    nodes.map(({ cluster }) =>
      nodes[0] && cluster.members.id !== nodes[0].cluster.members.id
        ? nodes[0].cluster.peers.ask(cluster.members.id, 'part', {
            ...{ imei: device!.imei, secretHash: tracker.secretHash.toString('base64'), protocol: 'http' },
            ...{ receivedAt: t.clock.now().getTime(), hops: 1, refused: [], acks: [], windows: [] },
            readings: content.readings.map((one) => ({ ...one, raw: { json: one.raw } })),
          })
        : null,
    ),
  )
  for (const outcome of outcomes.filter((one) => one !== null))
    expect(outcome).toMatchObject({ accepted: 0, rejected: [{ index: 0, code: 'NOT_ASSIGNED' }] })
  expect(await t.readingsOf(device!)).toEqual([])
})

test('a node without lanes, which stores nothing, forgets a secret that was changed', async () => {
  const [device] = await devices(1)
  const idle = await startNode()
  await idle.cluster.members.drain()
  nodes.splice(nodes.indexOf(idle), 1)
  await allHeld(nodes)
  const prove = (secret: string) => authenticate(idle.pipeline, null, device!.imei, secret)
  expect(await prove(device!.secret)).toMatchObject({ imei: device!.imei })
  const secret = await asLogin(t.pool, ({ tx }) => changeSecret(tx, device!.imei))
  await vi.waitFor(async () => expect(await prove(device!.secret)).toBe('refused'), patient)
  expect(await prove(secret)).toMatchObject({ imei: device!.imei })
  await stopNode(idle)
}, 240_000)

test('a node that stops hands its lanes over while others go on sending', async () => {
  const fleet = await devices(lanes)
  const leaving = await startNode()
  await allHeld(nodes)
  let minute = 0
  let isOver = false
  const sending = (async () => {
    while (!isOver) {
      const at = minute++
      for (const device of fleet) await sayOnce(nodes[at % 3]!, device, reading(at))
    }
  })()
  nodes.splice(nodes.indexOf(leaving), 1)
  const left = stopNode(leaving)
    .then(() => allHeld(nodes))
    .finally(() => (isOver = true))
  await Promise.all([sending, left])
  for (const device of fleet) expect(await t.readingsOf(device)).toHaveLength(minute)
}, 240_000)

test('the lanes of a node that hangs are taken over, and what it was asked is stored by another', async () => {
  const fleet = await devices(lanes)
  const hanging = await startNode()
  await allHeld(nodes)
  const beats = vi.spyOn(hanging.cluster.members, 'beatNow').mockResolvedValue()
  const others = nodes.filter((node) => node !== hanging)
  await allHeld(others)
  for (const device of fleet) await sayOnce(others[0]!, device, reading(1))
  // It lives again: it gets its share back.
  beats.mockRestore()
  await allHeld(nodes)
  for (const device of fleet) await sayOnce(hanging, device, reading(2))
  for (const device of fleet) expect(await t.readingsOf(device)).toHaveLength(2)
}, 240_000)

test('a node that was cut off holds its lanes again, also where nobody says anything', async () => {
  await allHeld(nodes)
  const { members } = nodes[0]!.cluster
  const cut = vi.spyOn(members, 'isCutOff', 'get').mockReturnValue(true)
  const ofNode = async () => (await holders()).filter(({ name }) => name.endsWith(members.id)).length
  await vi.waitFor(async () => expect(await ofNode()).toBe(0), patient)
  cut.mockRestore()
  await allHeld(nodes)
}, 240_000)

test('a client that connects to another node is gone from the one where it was', async () => {
  const limits = { all: 100, perAddress: 100, isBehindProxy: false }
  const [first, second] = await Promise.all(
    nodes
      .slice(0, 2)
      .map(({ pipeline, cluster }) =>
        ingestByMqtt(pipeline, t.databaseUrl, '127.0.0.1', 0, { ...limits, peers: cluster.peers }),
      ),
  )
  const [device] = await devices(1)
  const connect = (port: number, clientId: string) =>
    mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, {
      ...{ username: device!.imei, password: device!.secret, clientId, reconnectPeriod: 0 },
    })
  const before = await connect(first!.port, 'tracker')
  const other = await connect(first!.port, 'another of the same tracker')
  const gone = new Promise<void>((resolve) => before.once('close', () => resolve()))
  const after = await connect(second!.port, 'tracker')
  await gone
  expect(other.connected).toBe(true)
  await after.publishAsync(`devices/${device!.imei}/readings`, JSON.stringify(reading(9)), { qos: 1 })
  expect(await t.readingsOf(device!)).toHaveLength(1)
  for (const client of [other, after]) await client.endAsync(true)
  await Promise.all([first!.close(), second!.close()])
})

test('a server with another secret of the installation does not join', async () => {
  const joining = joinTestCluster(t, { name: 'other', secret: Buffer.alloc(32, 2) })
  await expect(joining).rejects.toThrow('DATA_DIR has another secret.key than node test')
  expect(await t.rows(`select 1 from nodes where name = 'other'`)).toEqual([])
})

test('a server with other keys of audit trails does not join; one that missed a new key does', async () => {
  await expect(joinTestCluster(t, { name: 'other', auditKeys: ['2'] })).rejects.toThrow(
    'DATA_DIR has other keys in audit-keys.json than node test',
  )
  expect(await t.rows(`select 1 from nodes where name = 'other'`)).toEqual([])
  const ahead = await joinTestCluster(t, { name: 'ahead', auditKeys: ['1', '2'] })
  expect(keyFaults(ahead.members.nodes)).toContain(
    'Node test signs audit trails with a former key: copy DATA_DIR/audit-keys.json of node ahead to it.',
  )
  await ahead.leave()
})

test('all servers agree on the number of lanes', async () => {
  expect(await settleLaneCount(t.pool, null, 2)).toBe(2)
  await expect(settleLaneCount(t.pool, 64, 2)).rejects.toThrow('LANES is 64, but the servers that run have 2 lanes')
  expect(await settleLaneCount(t.pool, 2, 16)).toBe(2)
})
