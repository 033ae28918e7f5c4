import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { cpuSeconds } from './cpu.ts'
import { readingOf } from './readings.ts'

const rowBytes = 2 + 6 * 4 + 8 + 8 + 4 + 4 + 2 + 2
const epoch2000Ms = 946_684_800_000

/**
 * A plain binary COPY of the same rows into a table like readings, key included: rows per second, and the processor time that
 * PostgreSQL takes for a row, us.
 */
export async function copyBaseline(
  client: pg.Client,
  devices: number,
  perDevice: number,
  firstAt: number,
  databasePid: number,
): Promise<{ rate: number; cpuUs: number }> {
  await client.query(`
    create table copy_baseline (company_id int4, device_id int4, measured_at timestamptz, received_at timestamptz,
      temperature_centi int2, humidity_centi int2, primary key (company_id, device_id, measured_at))`)
  const chunks: Buffer[] = [header]
  for (let device = 0; device < devices; device++) chunks.push(rowsOf(device, perDevice, firstAt))
  chunks.push(Buffer.from([255, 255]))
  const usedBefore = cpuSeconds(databasePid, true)
  const startedAt = performance.now()
  const sink = client.query(
    copyFrom(
      'copy copy_baseline (measured_at, received_at, company_id, device_id, temperature_centi, humidity_centi) from stdin (format binary)',
    ),
  )
  await pipeline(Readable.from(chunks), sink)
  const seconds = (performance.now() - startedAt) / 1000
  const used = cpuSeconds(databasePid, true) - usedBefore
  await client.query('drop table copy_baseline')
  const rows = devices * perDevice
  return { rate: rows / seconds, cpuUs: (used * 1e6) / rows }
}

const header = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)])

function rowsOf(device: number, count: number, firstAt: number): Buffer {
  const buffer = Buffer.alloc(count * rowBytes)
  let offset = 0
  const put = (size: number, write: (at: number) => void) => {
    buffer.writeInt32BE(size, offset)
    write(offset + 4)
    offset += 4 + size
  }
  for (let index = 0; index < count; index++) {
    const reading = readingOf(device, index, firstAt)
    offset = buffer.writeInt16BE(6, offset)
    put(8, (at) => buffer.writeBigInt64BE(BigInt(reading.at - epoch2000Ms) * 1000n, at))
    put(8, (at) => buffer.writeBigInt64BE(BigInt(Date.now() - epoch2000Ms) * 1000n, at))
    put(4, (at) => buffer.writeInt32BE(1, at))
    put(4, (at) => buffer.writeInt32BE(device, at))
    put(2, (at) => buffer.writeInt16BE(reading.temperatureCenti, at))
    put(2, (at) => buffer.writeInt16BE(reading.humidityCenti, at))
  }
  return buffer
}
