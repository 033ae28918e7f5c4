import { setTimeout as sleep } from 'node:timers/promises'
import type { Scene } from './scene.ts'

/** An hour of readings each, at one a minute. */
const backlog = 60
const awayMs = 5_000
const maxS = 120
const maxMb = 400

/** The balancer is away, then all devices are back in one moment, each with an hour of readings: all of it must be in within two minutes. */
export async function storm({ cluster, devices, isOver, notes, faults }: Scene): Promise<void> {
  let [storms, longestS] = [0, 0]
  do {
    const isDue = () => devices.every(({ acknowledged }, index) => acknowledged.size >= (due[index] ?? 0))
    await cluster.proxyAway(awayMs)
    const due = devices.map(({ acknowledged }) => acknowledged.size + backlog)
    const began = performance.now()
    while (!isDue() && performance.now() - began < maxS * 1_000) await sleep(100)
    const tookS = (performance.now() - began) / 1_000
    if (!isDue()) faults.push(`storm ${storms}: not all was in within ${maxS} s`)
    longestS = Math.max(longestS, tookS)
    storms++
  } while (!isOver())
  const peak = Math.max(...cluster.peaksMb())
  if (peak > maxMb) faults.push(`a node has ${peak} MB`)
  Object.assign(notes, { faults: storms, 'all in after, s': longestS.toFixed(1), 'most memory, MB': peak })
}
