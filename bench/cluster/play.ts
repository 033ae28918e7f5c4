import { setTimeout as sleep } from 'node:timers/promises'
import { type Certificate, makeCertificate } from '../../server/test/certificate.ts'
import { overTls, startNats } from '../../server/test/nats-server.ts'
import { httpDevice, type KillDevice, mqttDevice } from '../kill/device.ts'
import { verify } from '../kill/verify.ts'
import { addAlarms } from '../pipeline/alarms.ts'
import { makeFleet } from '../pipeline/fleet.ts'
import { intervalMs } from '../pipeline/readings.ts'
import { openStage } from '../pipeline/stage.ts'
import { BackedUp } from './backed-up.ts'
import { judge } from './judge.ts'
import { LaneWatch } from './lane-watch.ts'
import { BenchCluster, type ClusterPorts } from './nodes.ts'
import { openOldVersion } from './old-version.ts'
import { openPairStage } from './pair-stage.ts'
import type { Scenario } from './scenarios.ts'
import { count, held, lanesOf, type Scene, until } from './scene.ts'
import { openCommitRelay, openRelays } from './ways.ts'

/** By each of the two protocols. */
const usualDevices = 12
/** So soon all lanes must be held once nothing is done to the nodes any more. */
const lanesWithinS = 30

/** Plays a scenario on nodes and a database of its own; what it found, and what of it is a fault. */
export async function play(scenario: Scenario, ports: ClusterPorts, seconds: number) {
  const devicesEach = scenario.devices ?? usualDevices
  // Closed in the reverse order, also where a later one does not open.
  const opened: (() => unknown)[] = []
  try {
    const old = scenario.isOld ? await openOldVersion() : null
    opened.push(() => old?.remove())
    const stage = scenario.pair
      ? {
          ...(await openPairStage(scenario.pair === 'synchronous')),
          databasePid: () => 0,
          restartDatabase: async () => {},
        }
      : { ...(await openStage({ http: ports.http, mqtt: ports.mqtt }, old?.migrate)), pair: null }
    opened.push(() => stage.stop())
    const backedUp = scenario.isBackedUp && 'stopDatabase' in stage ? await BackedUp.open(stage) : null
    opened.push(() => backedUp?.stop())
    const certificate = scenario.nats === 'tls' ? makeCertificate() : null
    opened.push(() => certificate?.remove())
    const nats = scenario.nats ? await startNats(certificate ? overTls(certificate) : []) : null
    opened.push(() => nats?.kill())
    const relays = scenario.isRelayed ? await openRelays(stage.databaseUrl, ports) : null
    opened.push(() => relays?.close())
    const holding = scenario.holdsCommits ? await openCommitRelay(stage.databaseUrl, ports) : null
    opened.push(() => holding?.commits.close())
    const connect = () => (backedUp ?? stage).connect()
    const fleet = await makeFleet(stage.client, 4, devicesEach * 2 + 1)
    await addAlarms(stage.client, [...new Set(fleet.map(({ companyId }) => companyId))])
    const spare = fleet.pop()
    if (!spare) throw new Error('there is no fleet')
    const envOf = (index: number): Record<string, string> => ({
      ...scenario.envOf?.(index),
      ...(nats && { NATS_URL: `${certificate ? 'tls' : 'nats'}://${nats.address}` }),
      ...(certificate && filesOf(certificate)),
      ...(backedUp?.url && { DATABASE_URL: backedUp.url }),
      ...(index === 0 && relays ? relays.env : {}),
      ...(index === 0 && holding ? holding.env : {}),
    })
    const cluster = await BenchCluster.open(stage.databaseUrl, ports, { count, envOf, ...(old && { main: old.main }) })
    try {
      const watch = new LaneWatch(connect)
      await until(async () => (await watch.shares()).size === count, 300)
      let stopping = false
      // Where acknowledged readings may be lost, the other value may be the first.
      const sendsConflicts = scenario.pair !== 'asynchronous' && !scenario.isBackedUp
      const firstAt = Math.floor(Date.now() / 1000) * 1000 - 300_000 * intervalMs
      const devices: KillDevice[] = fleet.map((device, index) =>
        (index < devicesEach ? httpDevice : mqttDevice)(
          device,
          index,
          index < devicesEach ? ports.http : ports.mqtt,
          Math.max(firstAt, Date.now() - 600 * 86_400_000),
          () => stopping,
          { pauseMs: scenario.pauseMs ?? 200, sendsConflicts, waits: scenario.waits ?? false },
        ),
      )
      watch.start()
      const end = performance.now() + seconds * 1_000
      const isOver = () => performance.now() > end
      const scene: Scene = {
        ...{ cluster, http: ports.http, watch, databasePid: stage.databasePid, connect, pair: stage.pair },
        ...{ restartDatabase: stage.restartDatabase },
        ...{ relays, commits: holding?.commits ?? null, nats, certificate, backedUp, devices },
        ...{ spare, isOver, notes: {}, faults: [] },
      }
      await scenario.fault(scene)
      while (!isOver()) await sleep(100)
      stopping = true
      await Promise.all(devices.map(({ done }) => done))
      const lanes = await lanesOf(scene)
      await until(async () => (await held(scene)) === lanes, lanesWithinS).catch(() => {})
      const shares = [...(await watch.shares()).values()].sort().join('+')
      const free = lanes - (await held(scene))
      const watched = await watch.stop()
      await cluster.stop()
      return judge(scenario, scene, { devices, watched, shares, free, found: await verify({ connect }, devices) })
    } finally {
      await cluster.stop()
    }
  } finally {
    for (const close of opened.reverse()) await close()
  }
}

const filesOf = ({ certFile, keyFile }: Certificate) => ({
  ...{ NATS_TLS_CA: certFile, NATS_TLS_CERT: certFile, NATS_TLS_KEY: keyFile },
})
