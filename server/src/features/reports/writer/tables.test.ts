import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import type { DeviceDetail, RunOrder } from './order.ts'
import { maxLines } from './order.ts'
import { openTables } from './tables.ts'

const excursion = {
  deviceName: 'Fridge',
  measure: 'temperature',
  side: 'above',
  startAt: '2026-11-20T08:00:00.000Z',
  endAt: null,
  durationMs: 60_000,
  limit: 8,
  peak: 9,
  peakAt: '2026-11-20T08:00:00.000Z',
  degreeMinutes: 1,
}
const device = (excursions: number) =>
  ({ name: 'Fridge', excursions: Array(excursions).fill(excursion), alarms: [] }) as unknown as DeviceDetail

async function linesOf(counts: number[]): Promise<string[][]> {
  const order = { locale: 'en', zone: 'UTC', contents: ['excursions'] } as unknown as RunOrder
  const tables = openTables(order)
  for (const count of counts) tables.add(device(count))
  const out = new PassThrough({ highWaterMark: 1e9 })
  await tables.write(out, 'excursions', 'csv')
  out.end()
  return parse(await text(out), { bom: true })
}

test('a table of very many excursions ends with how many it leaves out', async () => {
  const lines = await linesOf([maxLines.ofTable - 1, 3, 4])
  expect(lines).toHaveLength(1 + maxLines.ofTable + 1)
  expect(lines.at(-2)?.[0]).toBe('Fridge')
  expect(lines.at(-1)?.[0]).toBe('6 more are left out here.')
})

test('one of fewer has them all', async () => {
  expect(await linesOf([maxLines.ofTable])).toHaveLength(1 + maxLines.ofTable)
})
