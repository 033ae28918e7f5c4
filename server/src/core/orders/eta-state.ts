import { Eta } from '@isotherm/contract/orders.ts'
import type { ReceiverRow } from './order-queries.ts'

/** The estimate of a receiver as it was worked out last; null for those who are reached, served or snoozed. */
export const etaOf = ({
  eta,
  state,
  snoozed_until,
}: Pick<ReceiverRow, 'eta' | 'state' | 'snoozed_until'>): Eta | null =>
  state === 'waiting' && snoozed_until === null ? Eta.nullable().parse(eta) : null
