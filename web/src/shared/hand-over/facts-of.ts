import type { HandOverFacts } from '@isotherm/contract/order-links.ts'
import type { Outcome } from '@isotherm/contract/orders.ts'
import type { z } from 'zod'

interface TypedHandOver {
  outcome: Outcome
  /** A reservation, or why the goods were not taken. */
  said: string
  signerName: string
  signerRole: string
  /** The number taken of each item, and why not all. */
  items: readonly { delivered: number; reason: string | null }[]
}

export const isTaken = (outcome: Outcome): boolean => outcome === 'delivered' || outcome === 'partlyDelivered'

/** The facts of a hand-over as the server takes them, from what was typed. */
export const factsOf = (
  { outcome, said, signerName, signerRole, items }: TypedHandOver,
  more: Pick<z.input<typeof HandOverFacts>, 'requestId' | 'at' | 'shown'>,
): z.input<typeof HandOverFacts> => ({
  outcome,
  ...(isTaken(outcome) ? { reservation: said.trim() || null } : { reason: said.trim() || null }),
  items: outcome === 'partlyDelivered' ? items.map((taken, item) => ({ item, ...taken })) : [],
  signerName: signerName.trim() || null,
  signerRole: signerRole.trim() || null,
  ...more,
})
