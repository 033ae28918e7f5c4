import { cpus } from 'node:os'

/** So much of the processors' time is left where the machine is not busy. */
const leastIdle = 0.2
const lookEveryMs = 250

/** Processor time of all processors together, ms. */
function look() {
  const all = cpus().map(({ times }) => times)
  const idle = all.reduce((sum, times) => sum + times.idle, 0)
  const total = all.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0)
  return { at: performance.now(), idle, total }
}

let last = look()
let isBusy = false

/** Whether all processors were busy in the last quarter of a second or more, whoever used them. */
export function isMachineBusy(): boolean {
  if (performance.now() - last.at < lookEveryMs) return isBusy
  const now = look()
  const spent = now.total - last.total
  isBusy = spent > 0 && (now.idle - last.idle) / spent < leastIdle
  last = now
  return isBusy
}
