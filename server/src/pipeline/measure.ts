import { Counter, Gauge, type Registry } from 'prom-client'
import type { Batch } from './batch.ts'
import type { Gate } from './ingest/gate.ts'

/** The pipeline's metrics: what waits, what was committed, and how large batches are. Returns what counts a committed batch. */
export function measurePipeline(registry: Registry, gate: Gate): (batch: Batch) => void {
  const registers = [registry]
  new Gauge({
    name: 'pipeline_readings_waiting',
    help: 'Readings taken in and not committed yet',
    registers,
    collect() {
      this.set(gate.waiting)
    },
  })
  const readings = new Counter({
    name: 'pipeline_readings_total',
    help: 'Readings by what became of them',
    labelNames: ['fate'] as const,
    registers,
  })
  const batches = new Counter({ name: 'pipeline_batches_total', help: 'Committed transactions', registers })
  return (batch) => {
    batches.inc()
    readings.inc({ fate: 'accepted' }, batch.inserted.length)
    readings.inc({ fate: 'duplicate' }, batch.duplicates.length)
    readings.inc({ fate: 'rejected' }, batch.rejections.length)
  }
}
