import { orderStates, receiverStates } from '@isotherm/contract/orders.ts'
import { expect, test } from 'vitest'
import {
  leftLastStopAt,
  type OrderMove,
  orderAfter,
  orderMoves,
  type ReceiverMove,
  receiverAfter,
  receiverMoves,
} from './order-lifecycle.ts'

test('the life of an order: every transition from every state', () => {
  const led = orderStates.map((state) => [
    state,
    ...(Object.keys(orderMoves) as OrderMove[]).map((move) => orderAfter(move, state)),
  ])
  expect(led).toEqual([
    //            start         end          cancel
    ['new', 'inProgress', null, 'cancelled'],
    ['inProgress', null, 'completed', 'cancelled'],
    ['completed', null, null, null],
    ['cancelled', null, null, null],
  ])
})

test('the life of a stop: every transition from every state', () => {
  const moves = Object.keys(receiverMoves) as ReceiverMove[]
  expect(moves).toEqual(['arrive', 'snooze', 'delivered', 'partlyDelivered', 'refused', 'failed', 'cancel'])
  const led = receiverStates.map((state) => [state, ...moves.map((move) => receiverAfter(move, state))])
  const settled = ['delivered', 'partlyDelivered', 'refused', 'failed', 'cancelled']
  expect(led).toEqual([
    ['waiting', 'arrived', 'waiting', ...settled],
    ['arrived', null, 'waiting', ...settled],
    ...settled.map((state) => [state, ...moves.map(() => null)]),
  ])
})

test('devices have left the last stop once all stops are served or were visited and left', () => {
  const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour))
  const stop = (state: string, arrived: number | null, departed: number | null) => ({
    ...{
      state,
      arrived_at: arrived === null ? null : at(arrived),
      departed_at: departed === null ? null : at(departed),
    },
    settled_at: state === 'delivered' ? at(8) : null,
  })
  expect(leftLastStopAt([stop('arrived', 9, 10), stop('delivered', 11, 12)])).toEqual(at(12))
  expect(leftLastStopAt([stop('arrived', 13, 14), stop('delivered', 11, 12)])).toEqual(at(14))
  expect(leftLastStopAt([stop('arrived', 9, 10), stop('waiting', null, null)])).toBeNull()
  expect(leftLastStopAt([stop('delivered', 9, 10), stop('delivered', 11, null)])).toBeNull()
  expect(leftLastStopAt([stop('delivered', null, null)])).toBeNull()
})
