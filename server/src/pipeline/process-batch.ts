import type { Bus } from '../platform/bus/bus.ts'
import type { Batch } from './batch.ts'
import { evaluate } from './evaluate/evaluate.ts'
import { findChangedRules, loadStates } from './evaluate/load-states.ts'
import { awaitAll } from './lane-connections.ts'
import type { Memory } from './lane-context.ts'
import { push } from './push/push.ts'
import { applyAcks } from './store/apply-acks.ts'
import { judgeRepeats } from './store/conflicts.ts'
import { insertReadings } from './store/insert-readings.ts'
import { writeArrivals } from './store/write-arrivals.ts'
import { writeCrossings } from './store/write-crossings.ts'
import { writeEventsOf } from './store/write-events.ts'
import { writeExcursions } from './store/write-excursions.ts'
import { writeLate } from './store/write-late.ts'
import { writeLatest } from './store/write-latest.ts'
import { writeOutside } from './store/write-outside.ts'
import { writeRejections } from './store/write-rejections.ts'
import { writeRollups } from './store/write-rollups.ts'
import { writeTriggers } from './store/write-triggers.ts'

/*
 * The path of a reading, in order:
 *
 *   ingest/http.ts, ingest/mqtt.ts   a device speaks: prove who it is, decode, refuse what is no reading
 *   ingest/router.ts                 find the device that owned the probe at measured_at, and its lane
 *   lane.ts                          one writer per lane gathers a batch: one transaction, all of the below
 *   store, evaluate                  `processBatch`
 *   commit                           then `publishBatch`, then the 2xx or PUBACK
 */

/** Runs every step of a batch within its transaction. */
export async function processBatch(batch: Batch, memory: Memory): Promise<void> {
  await awaitAll(loadStates(batch, memory), insertReadings(batch))
  findChangedRules(batch, memory)
  await judgeRepeats(batch)
  await evaluate(batch)
  await awaitAll(
    writeRollups(batch),
    writeExcursions(batch),
    writeTriggers(batch),
    writeOutside(batch),
    writeCrossings(batch),
    writeLatest(batch),
    writeArrivals(batch),
    writeLate(batch),
    writeRejections(batch),
    applyAcks(batch),
  )
  await writeEventsOf(batch)
}

/** Publishes a committed batch to browsers. */
export function publishBatch(batch: Batch, bus: Bus): Promise<void> {
  return push(bus, batch)
}
