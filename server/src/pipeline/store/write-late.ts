import { noteLateSql } from '../../core/devices/late-readings.ts'
import { routineMs } from '../../domain/late.ts'
import type { Batch } from '../batch.ts'
import type { Device } from '../ingest/device.ts'
import { numbers } from './pg-arrays.ts'

/** Notes the devices that got readings from before the time that is looked at by routine, and from when on. */
export async function writeLate({ client, inserted, now }: Batch): Promise<void> {
  const firsts = new Map<string, { device: Device; at: number }>()
  for (const { device, at } of inserted) {
    const first = firsts.get(device.key)
    if (at < now - routineMs && (!first || at < first.at)) firsts.set(device.key, { device, at })
  }
  if (firsts.size === 0) return
  const late = [...firsts.values()]
  const values = [
    numbers('int4', late, ({ device }) => device.companyId),
    numbers('int4', late, ({ device }) => device.id),
    numbers('timestamptz', late, ({ at }) => at),
  ]
  await client.query({ name: 'write_late', text: noteLateSql, values })
}
