import { expect, test } from 'vitest'
import type { Part, Row } from './batch.ts'
import { DeviceHolds } from './device-holds.ts'
import type { Device } from './ingest/device.ts'

const partOf = (...keys: string[]) =>
  ({ rows: keys.map((key) => ({ device: { key } as Device }) as Row), windows: [], ticks: [] }) as unknown as Part

/** A part with what the clock says of a device, and one with a stretch of it to be judged again. */
const others = (key: string) => [
  { rows: [], windows: [], ticks: [{ device: { key } }] } as unknown as Part,
  { rows: [], windows: [{ device: { key } }], ticks: [] } as unknown as Part,
]

test('a device that another writer has is waited for, and that is said; devices that nobody has are had at once', async () => {
  const holds = new DeviceHolds()
  const [first, second] = [{}, {}]
  const said: string[] = []
  const order: string[] = []
  await holds.take(first, [partOf('1:1', '1:2')], (device) => said.push(device))
  await holds.take(second, [partOf('1:3')], (device) => said.push(device))
  holds.release(second)
  expect(said).toEqual([])
  const waiting = holds
    .take(second, [partOf('1:4'), partOf('1:2')], (device) => said.push(device))
    .then(() => order.push('has it'))
  await Promise.resolve()
  expect(said).toEqual(['1:2'])
  order.push('released')
  holds.release(first)
  await waiting
  expect(order).toEqual(['released', 'has it'])
  // The former holder waits in its turn, also for a device that it never had.
  const third = holds.take(first, [partOf('1:4')], (device) => said.push(device))
  expect(said).toEqual(['1:2', '1:4'])
  holds.release(second)
  await third
})

test('stretches to be judged again and what the clock says need their device as readings do', async () => {
  for (const part of others('1:1')) {
    const holds = new DeviceHolds()
    const [first, second] = [{}, {}]
    const said: string[] = []
    await holds.take(first, [partOf('1:1')], () => {})
    const waiting = holds.take(second, [part], (device) => said.push(device))
    expect(said).toEqual(['1:1'])
    holds.release(first)
    await waiting
  }
})
