import type { Log } from '../platform/log/log.ts'
import type { Batch } from './batch.ts'

/** Judges a stretch of a device's readings again. */
interface Judge {
  recompute(companyId: number, deviceId: number, from: number, to: number): Promise<void>
  log: Log
}

/**
 * Has readings judged again that were here before their device told that it measures at another interval. Whoever does not get to it leaves
 * that to the next reading of the device.
 */
export function judgeIntervals(judge: Judge, { answered, now }: Batch): void {
  for (const { companyId, deviceId, kind, ok, ackedAt } of answered) {
    if (kind !== 'interval' || !ok || ackedAt >= now) continue
    judge
      .recompute(companyId, deviceId, ackedAt, now)
      .catch((error: Error) => judge.log.warn({ err: error, companyId, deviceId }, 'readings were not judged again'))
  }
}
