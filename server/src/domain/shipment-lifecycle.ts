import type { MilestoneKind, ShipmentState } from '@isotherm/contract/shipments.ts'

/** The life of a shipment: the states that a move leaves, and the one that it leads to. */
export const shipmentMoves = {
  start: { from: ['pending'], to: 'ongoing' },
  complete: { from: ['ongoing'], to: 'completed' },
  cancel: { from: ['pending', 'ongoing'], to: 'cancelled' },
} as const satisfies Record<string, { from: readonly ShipmentState[]; to: ShipmentState }>
export type ShipmentMove = keyof typeof shipmentMoves

/** Where a move leads from a state; null: it cannot be made from there. */
export function shipmentAfter(move: ShipmentMove, state: ShipmentState): ShipmentState | null {
  const { from, to } = shipmentMoves[move]
  return (from as readonly ShipmentState[]).includes(state) ? to : null
}

/** Milestones from before a departure: a shipment that is pending may have them. */
const beforeDeparture: readonly MilestoneKind[] = [
  ...(['emptyOut', 'stuffed', 'gateIn', 'loaded', 'customsHold', 'customsReleased', 'inspected'] as const),
  ...(['airReceivedOnHand', 'airAccepted', 'airManifested'] as const),
]

/** Those that happen to a leg, or to a whole shipment, once: a second one corrects the first. */
const onceOnly: readonly MilestoneKind[] = ['departed', 'arrived', 'delivered']
export const happensOnce = (kind: MilestoneKind): boolean => onceOnly.includes(kind)

/** The consequence of a milestone for a shipment in a state: a move, nothing, or a refusal. `isLast`: of the last leg, or of none. */
export function moveBy(kind: MilestoneKind, state: ShipmentState, isLast: boolean): ShipmentMove | 'none' | 'refused' {
  if (state === 'cancelled') return 'refused'
  if (state === 'pending') {
    if (kind === 'departed') return 'start'
    return beforeDeparture.includes(kind) ? 'none' : 'refused'
  }
  return state === 'ongoing' && kind === 'delivered' && isLast ? 'complete' : 'none'
}
