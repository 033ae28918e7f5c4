import { createHash } from 'node:crypto'
import { canonical } from '../platform/audit/audit.ts'
import type { Digest, MeasuredDevice } from './layout.ts'
import { lineOf, type Row } from './readings.ts'

/** A hash over the data of a report; the hash of an empty file where it has none. */
export function dataHash() {
  const hash = createHash('sha256')
  return {
    /** As JSON gives it back, so that what is absent does not differ from what is empty. */
    evidence: (evidence: object) => void hash.update(`${canonical(JSON.parse(JSON.stringify(evidence)))}\n`),
    readings: (rows: readonly Row[]) => void hash.update(rows.map(lineOf).join('')),
    hex: () => hash.digest('hex'),
  }
}

/** Reads all data of a report once. */
export async function digestOf(
  data: { evidence?: object; devices: MeasuredDevice[] } | undefined,
  readingsOf: (device: MeasuredDevice) => AsyncIterable<Row[]>,
): Promise<Digest> {
  const hash = dataHash()
  const byDevice = new Map<number, number>()
  let readings = 0
  if (data?.evidence) hash.evidence(data.evidence)
  for (const device of data?.devices ?? []) {
    hash.evidence(device.evidence)
    let count = 0
    for await (const rows of readingsOf(device)) {
      hash.readings(rows)
      count += rows.length
    }
    byDevice.set(device.deviceId, count)
    readings += count
  }
  return { readings, byDevice, dataSha256: hash.hex() }
}
