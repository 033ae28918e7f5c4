import { milestoneKinds, shipmentStates } from '@isotherm/contract/shipments.ts'
import { expect, test } from 'vitest'
import { moveBy, returnBy, type ShipmentMove, shipmentAfter } from './shipment-lifecycle.ts'
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

const noon = new Date('2026-03-01T12:00:00Z')
/** Events in the order in which they were noted: kind, id of the one that it takes the place of, of an earlier leg. */
const told = (...lines: [kind: string, corrects?: number | null, isEarlier?: true][]) =>
  lines.map(([kind, corrects, isEarlier], index) => ({
    ...{ id: String(index + 1), kind, occurredAt: noon, isLast: !isEarlier },
    milestone: milestoneKinds.find((one) => one === kind) ?? null,
    corrects: corrects ? String(corrects) : null,
  }))
const started = [['created'], ['departed'], ['started']] as [string][]
const ended = [...started, ['delivered'], ['completed']] as [string][]

test.each([
  ['a departure that started it', 'ongoing', told(...started), 2, 'started'],
  ['a correction of it', 'ongoing', told(...started, ['departed', 2]), 4, 'started'],
  ['with what a pending one may have', 'ongoing', told(...started, ['loaded'], ['documentAdded']), 2, 'started'],
  ['but for a later milestone', 'ongoing', told(...started, ['arrived']), 2, 'milestones'],
  [
    'but for an arrival that was withdrawn',
    'ongoing',
    told(...started, ['arrived'], ['milestoneWithdrawn', 4]),
    2,
    'started',
  ],
  ['but for an act', 'ongoing', told(...started, ['rolledOver']), 2, 'acts'],
  ['another milestone', 'ongoing', told(...started, ['loaded']), 4, null],
  ['a departure after a start by hand', 'ongoing', told(['created'], ['started'], ['departed']), 3, null],
  ['a delivery that completed it', 'completed', told(...ended), 4, 'completed'],
  ['with milestones of after', 'completed', told(...ended, ['emptyReturned']), 4, 'completed'],
  ['but for another delivery', 'completed', told(...ended, ['delivered']), 4, 'milestones'],
  ['with a delivery of an earlier leg', 'completed', told(...ended, ['delivered', null, true]), 4, 'completed'],
  ['a departure, of one that is completed', 'completed', told(...ended), 2, null],
  [
    'a second completion',
    'completed',
    told(...ended, ['milestoneWithdrawn', 4], ['completionUndone', 5], ['delivered'], ['completed']),
    8,
    'completed',
  ],
  ['of one that is cancelled', 'cancelled', told(...started, ['cancelled']), 2, null],
  ['of one that is pending', 'pending', told(['created'], ['loaded']), 2, null],
] as const)('the move back by %s', (_, state, events, withdrawn, expected) => {
  const found = returnBy(state, events, String(withdrawn))
  expect(found && ('kept' in found ? found.kept : found.undone.kind)).toBe(expected)
})

test('who completed by hand at another instant is not moved back by a delivery', () => {
  const events = told(...started, ['delivered', null, true], ['completed'])
  const apart = events.map((event) =>
    event.id === '5' ? { ...event, occurredAt: new Date(noon.getTime() + 1) } : event,
  )
  expect(returnBy('completed', apart, '4')).toBeNull()
})
