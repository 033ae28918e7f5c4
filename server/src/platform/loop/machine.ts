import { cpus } from 'node:os'
import { performance } from 'node:perf_hooks'

/** So much of the processors' time is left where the machine is not busy. */
const leastIdle = 0.4
/** Other work that has this share of the event loop is work that somebody waits for. */
const leastOthers = 0.1
const lookEveryMs = 250

/** Processor time of all processors together, and the time that the event loop was busy, ms. Who is nice gives way: as if idle. */
function look() {
  const all = cpus().map(({ times }) => times)
  const idle = all.reduce((sum, times) => sum + times.idle + times.nice, 0)
  const total = all.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0)
  return { at: performance.now(), idle, total, loop: performance.eventLoopUtilization() }
}

export type Load = 'little' | 'others' | 'full'

let last = look()
let load: Load = 'little'
let longMs = 0

/** Notes that long work had the event loop for so long. */
export function noteLongWork(ms: number) {
  longMs += ms
}

/**
 * Says how much else the machine does, in the last quarter of a second or more. `full`: all processors are busy, whoever uses them;
 * `others`: other work of this process has the event loop; `little` otherwise.
 */
export function machineLoad(): Load {
  if (performance.now() - last.at < lookEveryMs) return load
  const now = look()
  const spent = now.total - last.total
  const { active } = performance.eventLoopUtilization(now.loop, last.loop)
  const others = (active - longMs) / (now.at - last.at)
  const isFull = spent > 0 && (now.idle - last.idle) / spent < leastIdle
  load = isFull ? 'full' : others > leastOthers ? 'others' : 'little'
  last = now
  longMs = 0
  return load
}

/** Nobody waits beside a test, and its machine is always full: there long work would take ten times as long for nothing. */
const rests = process.env.LONG_WORK_RESTS !== '0'

/** How long work rests after a piece that took so long, ms: so many times as long, by what else the machine does. */
export const restOf = (tookMs: number, times: Record<Load, number>): number =>
  rests ? tookMs * times[machineLoad()] : 0
