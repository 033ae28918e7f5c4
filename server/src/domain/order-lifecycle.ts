import type { OrderState, Outcome, ReceiverState } from '@isotherm/contract/orders.ts'

/** A transition: the states that it leaves, and the one that it leads to. */
interface Move<State> {
  from: readonly State[]
  to: State
}

/** The life of an order. */
export const orderMoves = {
  start: { from: ['new'], to: 'inProgress' },
  end: { from: ['inProgress'], to: 'completed' },
  cancel: { from: ['new', 'inProgress'], to: 'cancelled' },
} as const satisfies Record<string, Move<OrderState>>
export type OrderMove = keyof typeof orderMoves

/** The states of a receiver who is still to be served. */
export const openStates = ['waiting', 'arrived'] as const satisfies ReceiverState[]

/** The life of a stop. One that is snoozed is waited for again: whoever was there has to come back. */
export const receiverMoves = {
  arrive: { from: ['waiting'], to: 'arrived' },
  snooze: { from: openStates, to: 'waiting' },
  delivered: { from: openStates, to: 'delivered' },
  partlyDelivered: { from: openStates, to: 'partlyDelivered' },
  refused: { from: openStates, to: 'refused' },
  failed: { from: openStates, to: 'failed' },
  cancel: { from: openStates, to: 'cancelled' },
} as const satisfies Record<string, Move<ReceiverState>> & Record<Outcome, Move<ReceiverState>>
export type ReceiverMove = keyof typeof receiverMoves

/** Where a transition leads from a state; null: it cannot be made from there. */
export const orderAfter = (move: OrderMove, state: OrderState): OrderState | null => after(orderMoves[move], state)
export const receiverAfter = (move: ReceiverMove, state: ReceiverState): ReceiverState | null =>
  after(receiverMoves[move], state)

const after = <State>({ from, to }: Move<State>, state: State): State | null => (from.includes(state) ? to : null)

export const isOpen = (receiver: { state: string }): boolean =>
  (openStates as readonly string[]).includes(receiver.state)

/** The times of a stop that say whether the devices of an order were there. */
interface Visit {
  state: string
  settled_at: Date | null
  arrived_at: Date | null
  departed_at: Date | null
}

/**
 * When the devices of an order left its last stop and the last receiver was served, where every one is served or was visited and left. Null while somebody is to be served, or they stand at the last stop.
 */
export function leftLastStopAt(stops: readonly Visit[]): Date | null {
  if (stops.some((stop) => isOpen(stop) && stop.departed_at === null)) return null
  const last = stops
    .filter((stop) => stop.arrived_at !== null)
    .sort((a, b) => (a.arrived_at?.getTime() ?? 0) - (b.arrived_at?.getTime() ?? 0))
    .at(-1)
  if (!last?.departed_at) return null
  return new Date(Math.max(last.departed_at.getTime(), ...stops.map((stop) => stop.settled_at?.getTime() ?? 0)))
}
