import { freshDuty, transmits } from './duty.ts'
import { type Link, linkOf } from './link.ts'
import type { Memory } from './memory.ts'
import { type Orders, ordersOf } from './orders.ts'
import { timelineOf } from './physics/timeline.ts'
import type { Uplink } from './protocol/uplink.ts'
import type { Command } from './protocol/wire.ts'
import { type SampleBuffer, sampleBuffer } from './sample-buffer.ts'
import { isAlive, nextReport } from './sampling.ts'
import type { TrackerSpec } from './spec.ts'

export type TrackerContext = {
  /** Now, epoch seconds. */
  now: () => number
  /** Real milliseconds of a second of the tracker's time. */
  msPerSecond: number
  signal: AbortSignal
  log: (message: string) => void
  memory: Memory
  /** Until when history has been loaded, epoch seconds. */
  since: number
  uplinkOf: (onCommands: (commands: readonly Command[]) => void) => Uplink
}

const samplesPerSend = 150
const retryMs = 15_000

/** One tracker's life: sample, keep, send in order, obey. Resolves when the signal stops it. */
export async function runTracker(spec: TrackerSpec, context: TrackerContext): Promise<void> {
  const { now, memory, signal, log } = context
  const timeline = timelineOf(spec)
  const link = linkOf(spec)
  const known = memory.recall(spec.imei)
  const orders = ordersOf(known?.duty ?? freshDuty(spec.intervalS), known?.answered ?? [])
  const buffer = sampleBuffer(spec, timeline, known?.deliveredUntil ?? undelivered(link, context.since))
  const bell = bellOf(signal)

  const uplink = context.uplinkOf((commands) => {
    for (const command of commands) {
      buffer.sample(orders.duty(), now())
      if (!orders.take(command, now())) continue
      log(`${spec.name}: ${command.kind} ${JSON.stringify(command.value)} answered`)
      bell.ring()
    }
  })

  while (!signal.aborted) {
    const interval = () => orders.duty().intervalS
    buffer.sample(orders.duty(), now())
    const outage = link.outageAt(now())
    let due = Math.min(nextReport(spec, now(), interval()), outage?.to ?? Number.POSITIVE_INFINITY)
    try {
      if (outage || !isAlive(timeline, now())) {
        await uplink.leave()
      } else {
        uplink.join()
        await deliver(uplink, buffer, orders, link, context)
        due = nextReport(spec, buffer.sampledUntil(), interval())
      }
    } catch (error) {
      if (signal.aborted) break
      log(`${spec.name}: ${error instanceof Error ? error.message : String(error)}; ${buffer.size()} samples kept`)
      due = now() + retryMs / context.msPerSecond
    }
    memory.remember(spec.imei, {
      duty: orders.duty(),
      deliveredUntil: buffer.deliveredUntil(),
      answered: orders.answered(),
    })
    await bell.wait((due - now()) * context.msPerSecond)
  }
  await uplink.leave()
}

/** From where to measure: what history left out because this tracker had no network when it ended is still to be sent. */
function undelivered(link: Link, since: number): number {
  const outage = link.outageAt(since)
  return outage ? outage.from - 0.001 : since
}

/** Sends what is kept, oldest first, and the answers to commands; stops at the first failure and keeps the rest. */
async function deliver(
  uplink: Uplink,
  buffer: SampleBuffer,
  orders: Orders,
  link: Link,
  { now, signal }: TrackerContext,
): Promise<void> {
  // Without a line that listens, a paused tracker has to ask for its commands.
  let asks = !uplink.listens && !transmits(orders.duty(), now())
  orders.repeat()
  while (!signal.aborted) {
    const batch = transmits(orders.duty(), now()) ? buffer.first(samplesPerSend) : []
    const acks = [...orders.due()]
    if (batch.length === 0 && acks.length === 0 && !asks) return
    await uplink.send(
      batch.flatMap((kept) => kept.readings),
      acks,
    )
    asks = false
    buffer.drop(batch.length)
    orders.sent(acks.length)
    const again = batch.filter((kept) => link.answerLostAt(kept.at))
    if (again.length > 0)
      await uplink.send(
        again.flatMap((kept) => kept.readings),
        [],
      )
  }
}

/** Waits that a command or the end can cut short; a ring while nobody waits shortens the next wait. */
function bellOf(signal: AbortSignal): { ring: () => void; wait: (ms: number) => Promise<void> } {
  let rung = false
  let wake: (() => void) | null = null
  const ring = () => {
    rung = true
    wake?.()
  }
  signal.addEventListener('abort', ring, { once: true })
  return {
    ring,
    wait: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => wake?.(), Math.min(2 ** 31 - 1, Math.max(1, Math.ceil(ms))))
        wake = () => {
          clearTimeout(timer)
          wake = null
          rung = false
          resolve()
        }
        if (rung) wake()
      }),
  }
}
