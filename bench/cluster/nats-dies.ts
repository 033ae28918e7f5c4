import { setTimeout as sleep } from 'node:timers/promises'
import { clusterBus } from '../../server/src/platform/bus/cluster-bus.ts'
import { natsCarrier } from '../../server/src/platform/bus/nats-carrier.ts'
import { NatsLink } from '../../server/src/platform/bus/nats-link.ts'
import { createLog } from '../../server/src/platform/log/log.ts'
import { nodeSecret } from './nodes.ts'
import { judgeCalls, startPeople } from './people.ts'
import { count, type Scene, until } from './scene.ts'

const patienceS = 30
/** So long it hangs at least. */
const hangMs = 20_000
const maxMb = 400

/**
 * NATS is killed and started, then hangs and goes on, in turns. The bench listens as one more server would: it must hear events while NATS is there,
 * and that it may have missed some each time it is back. So must people with live streams, whose calls go on meanwhile. Nodes must say that NATS is
 * away, take in readings meanwhile, and keep no more memory.
 */
export async function natsDies(scene: Scene): Promise<void> {
  const { nats, certificate, cluster, spare, isOver, notes, faults } = scene
  if (!nats) throw new Error('there is no NATS')
  const link = new NatsLink(
    { servers: [nats.address], login: null, isSecure: certificate !== null, tls: certificate?.tls ?? {} },
    createLog(process.env.LOG_LEVEL ?? 'fatal'),
  )
  const bus = clusterBus(natsCarrier(link, nodeSecret))
  let [heard, missed, cuts] = [0, 0, 0]
  bus.subscribe(
    spare.companyId,
    () => heard++,
    () => missed++,
  )
  link.start()
  const expected = (what: string, is: () => Promise<boolean>) =>
    until(is, patienceS).catch(() => void faults.push(`cut ${cuts}: ${what}`))
  const warned = async () =>
    (await Promise.all(Array.from({ length: count }, (_, index) => cluster.warningsOf(index)))).filter((each) =>
      each.includes('nats'),
    ).length
  const flows = async (what: string) => {
    const before = heard
    await expected(what, async () => heard > before)
  }
  const people = await startPeople(scene)
  try {
    await flows('no event was heard before')
    for (; cuts < 2 || !isOver(); cuts++) {
      const isKill = cuts % 2 === 0
      const from = performance.now()
      if (isKill) await nats.kill()
      else nats.signal('SIGSTOP')
      await expected('the nodes did not say that NATS is away', async () => (await warned()) === count)
      await sleep(isKill ? 3_000 : Math.max(0, hangMs - (performance.now() - from)))
      const [before, resyncs] = [missed, people.resyncs()]
      if (isKill) await nats.start()
      else nats.signal('SIGCONT')
      await expected('the listeners did not hear that they may have missed events', async () => missed > before)
      await expected('a live stream did not have its reader fetch anew', async () =>
        people.resyncs().every((each, index) => each > (resyncs[index] ?? 0)),
      )
      await expected('the nodes still say that NATS is away', async () => (await warned()) === 0)
      await flows('no event was heard afterwards')
    }
  } finally {
    judgeCalls(scene, await people.stop(notes))
    await link.stop()
  }
  const peak = Math.max(...cluster.peaksMb())
  if (peak > maxMb) faults.push(`a node has ${peak} MB`)
  Object.assign(notes, { faults: cuts, 'events heard': heard, 'most memory, MB': peak })
}
