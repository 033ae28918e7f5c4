import { setTimeout as sleep } from 'node:timers/promises'
import type { Scene } from './scene.ts'

/** An hour of readings each, at one a minute. */
const backlog = 60
const awayMs = 5_000
const maxS = 120
const maxMb = 400

/**
 * The balancer is away, then all devices are back in one moment, each with an hour of readings: all of it must be in within two minutes. More comes
 * than the nodes have room for: they refuse some, and say when to come back, not all at the same time.
 */
export async function storm({ cluster, devices, isOver, notes, faults }: Scene): Promise<void> {
  let [storms, longestS] = [0, 0]
  do {
    const isDue = () => devices.every(({ acknowledged, quota = 0 }) => acknowledged.size >= quota)
    await cluster.proxyAway(awayMs)
    // Nothing else is sent meanwhile: at one reading a minute, what is new is next to nothing beside the backlog.
    for (const device of devices) device.quota = device.acknowledged.size + backlog
    const began = performance.now()
    while (!isDue() && performance.now() - began < maxS * 1_000) await sleep(100)
    const tookS = (performance.now() - began) / 1_000
    if (!isDue()) faults.push(`storm ${storms}: not all was in within ${maxS} s`)
    longestS = Math.max(longestS, tookS)
    for (const device of devices) delete device.quota
    storms++
  } while (!isOver())
  const peak = Math.max(...cluster.peaksMb())
  if (peak > maxMb) faults.push(`a node has ${peak} MB`)
  judgeRefusals({ devices, notes, faults })
  Object.assign(notes, { faults: storms, 'all in after, s': longestS.toFixed(1), 'most memory, MB': peak })
}

/** Those that the nodes themselves refused; haproxy refuses while it has no node. */
function judgeRefusals({ devices, notes, faults }: Pick<Scene, 'devices' | 'notes' | 'faults'>) {
  const refusals = devices.flatMap(({ trouble }) => trouble.refusals).filter(({ reason }) => isOfNode.test(reason))
  const times = refusals.flatMap(({ retryAfterS }) => (retryAfterS ? [retryAfterS] : []))
  const counts = [...Map.groupBy(times, (s) => s)].sort(([a], [b]) => a - b)
  if (refusals.length === 0) faults.push('nobody was refused: the storm was too small')
  if (times.length < refusals.length) faults.push(`${refusals.length - times.length} were not told when to come back`)
  if (refusals.length > 20 && counts.length < 3) faults.push('all were told to come back at the same time')
  notes['told to come back in, s'] = counts.map(([s, each]) => `${s}: ${each.length}`).join(', ')
}

const isOfNode = /^(?:503 (?:BUSY|OVERLOADED)|429 )/
