import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { connectionOf } from '../../server/src/platform/db/connection.ts'
import { programs, until } from '../../server/test/postgres-pair.ts'
import { httpDevice, mqttDevice } from '../kill/device.ts'
import { verify } from '../kill/verify.ts'
import { addAlarms } from '../pipeline/alarms.ts'
import { makeFleet } from '../pipeline/fleet.ts'
import { PatroniCluster } from './patroni.ts'
import { has } from './programs.ts'
import type { Report } from './report.ts'
import { ThreeNodes } from './three-nodes.ts'

interface Place {
  work: string
  base: number
  /** The folder whose deploy/start.sh runs the nodes. */
  program: string
}

const name = 'three nodes, haproxy, Patroni, etcd'
const devicesEach = 6

/** Three nodes on three members of PostgreSQL: the primary is killed under load, Patroni promotes, the former one comes back as a standby. */
export async function tryCluster(report: Report, { work, base, program }: Place): Promise<void> {
  const bin = programs()
  const missing = ['patroni', 'etcd', 'haproxy'].filter((each) => !has(each))
  if (!bin || missing.length > 0) {
    report.add(name, 'not tried', `not installed: ${[...missing, ...(bin ? [] : ['postgresql'])].join(', ')}`)
    return
  }
  const patroni = new PatroniCluster(work, base + 20, bin)
  const nodes = new ThreeNodes(work, base, program)
  try {
    const isUp = await report.try(`${name}: start`, async () => {
      await patroni.start()
      await nodes.start(patroni.url('isotherm'))
      return 'a leader, a synchronous standby and one more; the nodes are ready with REQUIRE_SYNC_STANDBY=on'
    })
    if (isUp) await report.try(`${name}: primary dies`, () => failOver(patroni, nodes))
  } finally {
    await report.try(`${name}: stop`, () => nodes.stop())
    await patroni.stop()
  }
}

async function failOver(patroni: PatroniCluster, nodes: ThreeNodes): Promise<string> {
  const connect = async () => {
    const client = new pg.Client(connectionOf(patroni.url('postgres')))
    client.on('error', () => {})
    await client.connect()
    return client
  }
  const client = new pg.Client(patroni.leaderUrl(await patroni.leader()))
  await client.connect()
  const fleet = await makeFleet(client, 2, devicesEach * 2)
  await addAlarms(client, [...new Set(fleet.map(({ companyId }) => companyId))])
  await client.end()
  let stopping = false
  const firstAt = Date.now() - 600 * 86_400_000
  const devices = fleet.map((device, index) =>
    (index < devicesEach ? httpDevice : mqttDevice)(
      ...([
        device,
        index,
        index < devicesEach ? nodes.http : nodes.mqtt,
        firstAt,
        () => stopping,
        { pauseMs: 200 },
      ] as const),
    ),
  )
  const acknowledged = () => devices.reduce((sum, each) => sum + each.acknowledged.size, 0)
  await sleep(5_000)
  const before = await patroni.leader()
  const began = performance.now()
  await patroni.killMember(before)
  const counted = acknowledged()
  await until(async () => ![-1, before].includes(await patroni.leader()), 90_000)
  const promoted = performance.now() - began
  await until(() => acknowledged() > counted + 500, 60_000)
  const again = performance.now() - began
  patroni.startMember(before)
  await patroni.whole()
  await sleep(3_000)
  stopping = true
  await Promise.all(devices.map(({ done }) => done))
  const found = await verify({ connect }, devices)
  const { missing, wrong, differences, triggerDifferences } = found
  if (missing + wrong + differences + triggerDifferences > 0) throw new Error(JSON.stringify(found))
  const seconds = (ms: number) => (ms / 1000).toFixed(1)
  return (
    `promoted after ${seconds(promoted)} s, readings again after ${seconds(again)} s, the former primary is a standby again; ` +
    `${found.acknowledged} acknowledged readings, 0 missing, 0 wrong, ${found.triggers} triggers as recomputed`
  )
}
