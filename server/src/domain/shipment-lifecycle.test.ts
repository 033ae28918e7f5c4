import { milestoneKinds, shipmentStates } from '@isotherm/contract/shipments.ts'
import { expect, test } from 'vitest'
import { moveBy, type ShipmentMove, shipmentAfter } from './shipment-lifecycle.ts'
import { readShipmentNumber, showShipmentNumber } from './shipment-number.ts'

const table: Record<ShipmentMove, (string | null)[]> = {
  // pending, ongoing, completed, cancelled
  start: ['ongoing', null, null, null],
  complete: [null, 'completed', null, null],
  cancel: ['cancelled', 'cancelled', null, null],
}

test.each(Object.entries(table))('%s leads from each state where it may', (move, expected) => {
  expect(shipmentStates.map((state) => shipmentAfter(move as ShipmentMove, state))).toEqual(expected)
})

const before = [
  ...['emptyOut', 'stuffed', 'gateIn', 'loaded', 'customsHold', 'customsReleased', 'inspected'],
  ...['airReceivedOnHand', 'airAccepted', 'airManifested'],
]

test.each(milestoneKinds)('%s in each state', (kind) => {
  const pending = kind === 'departed' ? 'start' : before.includes(kind) ? 'none' : 'refused'
  const ongoing = kind === 'delivered' ? 'complete' : 'none'
  expect(shipmentStates.map((state) => moveBy(kind, state, true))).toEqual([pending, ongoing, 'none', 'refused'])
})

test('a delivery at the end of a leg that others follow completes nothing', () => {
  expect(moveBy('delivered', 'ongoing', false)).toBe('none')
})

test('numbers are read as they are written, in any spelling', () => {
  expect([1, 123, 1_234_567].map(showShipmentNumber)).toEqual(['S-000001', 'S-000123', 'S-1234567'])
  expect(['S-000123', 's 123', ' S123 ', 'S-', '123', 'S-12x'].map(readShipmentNumber)).toEqual([
    ...[123, 123, 123, null, null, null],
  ])
})
