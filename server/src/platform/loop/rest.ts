import { setTimeout as sleep } from 'node:timers/promises'
import { type Load, restOf } from './machine.ts'

/** For so many times as long as a piece took long work of the database rests. */
const timesAtRest: Record<Load, number> = { little: 0, others: 1, full: 19 }

/** Rests after a piece of long work that was mostly the database's, where others want the processors. */
export async function restAfter(tookMs: number): Promise<void> {
  const restMs = restOf(tookMs, timesAtRest)
  if (restMs > 0) await sleep(restMs)
}
