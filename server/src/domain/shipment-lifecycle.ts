import type { MilestoneKind, ShipmentEventKind, ShipmentState } from '@isotherm/contract/shipments.ts'

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

/** The opposite of a move, made where the milestone that made the move is withdrawn. `keeps`: later events that stand on the state. */
export const shipmentReturns = {
  ongoing: {
    ...{ undoes: 'started', to: 'pending', event: 'startUndone' },
    keeps: ['rolledOver', 'treatmentStarted', 'treatmentProven', 'treatmentInterrupted'],
  },
  completed: { undoes: 'completed', to: 'ongoing', event: 'completionUndone', keeps: [] },
} as const satisfies Partial<Record<ShipmentState, ShipmentReturn>>
export type ReturnFrom = keyof typeof shipmentReturns

interface ShipmentReturn {
  undoes: ShipmentEventKind
  to: ShipmentState
  event: ShipmentEventKind
  keeps: readonly ShipmentEventKind[]
}

/** An event of a shipment, as far as its state depends on it. `isLast`: of the last leg, or of none. */
export interface ToldEvent {
  id: string
  kind: string
  /** Its kind where it is a milestone. */
  milestone: MilestoneKind | null
  occurredAt: Date
  corrects: string | null
  isLast: boolean
}

const inOrder = (a: ToldEvent, b: ToldEvent) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1)

/**
 * The consequence for a shipment in a state once one of its milestones is withdrawn: the event whose move is undone, or why the state stays;
 * null: the milestone did not make the state. A correction stands for the milestone whose place it takes.
 */
export function returnBy(
  state: ShipmentState,
  events: readonly ToldEvent[],
  withdrawnId: string,
): { undone: ToldEvent } | { kept: 'milestones' | 'acts' } | null {
  if (state !== 'ongoing' && state !== 'completed') return null
  const { undoes, to, keeps } = shipmentReturns[state]
  const all = events.toSorted(inOrder)
  const replaced = new Set(all.map(({ corrects }) => corrects))
  const undone = all.findLast(({ id, kind }) => kind === undoes && !replaced.has(id))
  if (!undone || moveMadeBy(events, withdrawnId)?.id !== undone.id) return null
  const others = all.filter(({ id }) => !replaced.has(id) && id !== withdrawnId)
  if (others.some(({ milestone, isLast }) => milestone && moveBy(milestone, to, isLast) !== 'none'))
    return { kept: 'milestones' }
  const later = others.slice(others.indexOf(undone) + 1)
  return later.some(({ kind }) => (keeps as readonly string[]).includes(kind)) ? { kept: 'acts' } : { undone }
}

/** The event of the move that a milestone made, or the one whose place it takes; undefined: it made none, or the move is undone. */
export function moveMadeBy(events: readonly ToldEvent[], milestoneId: string): ToldEvent | undefined {
  const all = events.toSorted(inOrder)
  const replaced = new Set(all.map(({ corrects }) => corrects))
  const root = rootOf(all, milestoneId)
  // The milestone that makes a move is noted just before it, of the same instant. Who moves a shipment by hand tells no milestone.
  return all.find((one, index) => {
    const before = all[index - 1]
    const isMove = (one.kind === 'started' || one.kind === 'completed') && !replaced.has(one.id)
    return isMove && before?.id === root && before.occurredAt.getTime() === one.occurredAt.getTime()
  })
}

/** The first of a chain of corrections. */
function rootOf(events: readonly ToldEvent[], id: string): string {
  const corrects = events.find((event) => event.id === id)?.corrects
  return corrects ? rootOf(events, corrects) : id
}
