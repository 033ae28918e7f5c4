import { setTimeout as sleep } from 'node:timers/promises'
import { httpDevice } from '../kill/device.ts'
import { addAlarms } from '../pipeline/alarms.ts'
import { cpuSeconds } from '../pipeline/cpu.ts'
import { makeFleet } from '../pipeline/fleet.ts'
import { openStage } from '../pipeline/stage.ts'
import { BenchCluster, type ClusterPorts } from './nodes.ts'

const maxMb = 400
const leastShare = 0.9

/** As many readings as one node, and then as three, take in within so many seconds, behind haproxy, each on a database of its own. */
export async function measureThroughput(ports: ClusterPorts, seconds: number) {
  const one = await take(ports, seconds, 1)
  const three = await take(ports, seconds, 3)
  const share = three.perS / one.perS
  const verdict = {
    'one node, readings/s': Math.round(one.perS),
    'three, readings/s': Math.round(three.perS),
    share: share.toFixed(2),
    'processor of a reading with one, µs': one.us,
    'with three, µs': three.us,
    'memory of one, MB': one.peaks.join(' '),
    'of three, MB': three.peaks.join(' '),
  }
  const faults: string[] = []
  if (share < leastShare) faults.push(`three nodes take in ${share.toFixed(2)} of what one does`)
  if (Math.max(...three.peaks) > maxMb) faults.push(`a node has ${Math.max(...three.peaks)} MB`)
  return { verdict, faults }
}

async function take(ports: ClusterPorts, seconds: number, nodes: number) {
  const stage = await openStage({ http: ports.http, mqtt: ports.mqtt })
  try {
    const fleet = await makeFleet(stage.client, 4, 1_920)
    await addAlarms(stage.client, [...new Set(fleet.map(({ companyId }) => companyId))])
    // One by itself is what an installation of one node is: it knows of no others.
    const envOf = (): Record<string, string> => (nodes === 1 ? { NODE_LISTEN: '', NODE_SECRET: '' } : {})
    const cluster = await BenchCluster.open(stage.databaseUrl, ports, { count: nodes, envOf })
    try {
      // Nodes count for lanes some seconds after their start.
      await sleep(8_000)
      let stopping = false
      const firstAt = Date.now() - 600 * 86_400_000
      const devices = fleet.map((device, index) => httpDevice(device, index, ports.http, firstAt, () => stopping))
      const acknowledged = () => devices.reduce((sum, each) => sum + each.acknowledged.size, 0)
      // Each connection of a lane plans its statements once.
      await sleep(15_000)
      const used = () => [cluster.cpuSeconds(), cpuSeconds(stage.databasePid(), true)]
      const [before, began, usedBefore] = [acknowledged(), performance.now(), used()]
      await sleep(seconds * 1_000)
      const count = acknowledged() - before
      const perS = (count / (performance.now() - began)) * 1_000
      const [servers = 0, database = 0] = used().map((now, index) => ((now - (usedBefore[index] ?? 0)) * 1e6) / count)
      stopping = true
      await Promise.all(devices.map(({ done }) => done))
      return { perS, us: `nodes ${servers.toFixed(1)}, PostgreSQL ${database.toFixed(1)}`, peaks: cluster.peaksMb() }
    } finally {
      await cluster.stop()
    }
  } finally {
    await stage.stop()
  }
}
