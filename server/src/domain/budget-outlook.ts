import { quantile } from './eta.ts'

const hourMs = 3_600_000
/** Less of its own measured time says nothing of a shipment. */
const leastMs = 24 * hourMs
/** The stretch that counts as recent; told apart from the whole where that is at least a third longer. */
export const recentMs = 72 * hourMs
/** Fewer shipments of the past are no history. */
export const leastTrips = 3

/** An allowance of a budget: time out of a temperature, ms. */
export interface AllowanceLeft {
  side: 'above' | 'below'
  leftMs: number
  /** Used by the shipment itself; and within its last `recentMs`, null where it is not that old. */
  usedMs: number
  recentMs: number | null
  /** The shares of their time that earlier shipments of the lane were out of it, 0 to 1. */
  history: readonly number[]
}

/** Things as they stand, instants in ms. */
export interface BudgetFacts {
  startedAt: number
  now: number
  /** Up to when its devices have told; null: they never did. */
  measuredUntil: number | null
  /** The time that readings of the device that measured longest held, since the start. */
  measuredMs: number
  isSpent: boolean
  /** Null: no arrival is planned. */
  arrival: { earliest: number; latest: number } | null
  allowances: readonly AllowanceLeft[]
}

export type OutlookState = 'within' | 'atRisk' | 'beyond' | 'unknown'
export type OutlookReason =
  | 'spent'
  | 'noArrival'
  | 'overdue'
  | 'boundsOnly'
  | 'noReadings'
  | 'tooEarly'
  | 'silent'
  | 'ownUse'
  | 'recentUse'
  | 'history'

export interface OutlookSide {
  side: 'above' | 'below'
  leftMs: number
  /** The time that will be used until the arrival, between the best and the worst of what speaks for it; null where nothing does. */
  use: { low: number; high: number } | null
}

export interface Outlook {
  state: OutlookState
  reasons: OutlookReason[]
  sides: OutlookSide[]
}

interface Rates {
  values: number[]
  reasons: OutlookReason[]
}

/** The shares of time out of a temperature that speak for what is to come, with their reasons. */
function ratesOf(facts: BudgetFacts, { usedMs, recentMs: recent, history }: AllowanceLeft): Rates {
  const { measuredMs } = facts
  const silentMs = facts.measuredUntil === null ? 0 : facts.now - facts.measuredUntil
  const rates: Rates = { values: [], reasons: [] }
  const add = (reason: OutlookReason, ...values: number[]) => {
    rates.values.push(...values)
    rates.reasons.push(reason)
  }
  // A shipment that was silent for longer than it measured speaks for itself no more.
  if (measuredMs >= leastMs && silentMs <= measuredMs) {
    add('ownUse', Math.min(1, usedMs / measuredMs))
    if (recent !== null && measuredMs * 3 >= recentMs * 4) add('recentUse', Math.min(1, recent / recentMs))
  }
  if (history.length >= leastTrips) {
    const ascending = [...history].sort((a, b) => a - b)
    add('history', quantile(ascending, 0.2), quantile(ascending, 0.8))
  }
  return rates
}

/** Why nothing can be said of a budget that is not spent; null: something can. */
function unknownBy({ arrival, allowances }: BudgetFacts): OutlookReason | null {
  if (allowances.length === 0) return 'boundsOnly'
  return arrival ? null : 'noArrival'
}

/** Why a shipment does not speak for itself. */
function silenceOf({ measuredUntil, measuredMs, now }: BudgetFacts): OutlookReason | null {
  if (measuredUntil === null) return 'noReadings'
  if (measuredMs < leastMs) return 'tooEarly'
  return now - measuredUntil > measuredMs ? 'silent' : null
}

/**
 * Whether goods arrive within their budget, by what is left of it, the time until the arrival, and how fast the shipment itself and earlier ones of
 * its lane used theirs. Within: even the worst of it leaves something at the latest arrival. Beyond: not even the best does. Unknown where data does not carry it.
 */
export function budgetOutlook(facts: BudgetFacts): Outlook {
  const { arrival, measuredUntil, startedAt, now, allowances } = facts
  const bare = allowances.map(({ side, leftMs }): OutlookSide => ({ side, leftMs, use: null }))
  if (facts.isSpent) return { state: 'beyond', reasons: ['spent'], sides: bare }
  const unknown = unknownBy(facts)
  if (unknown || !arrival) return { state: 'unknown', reasons: [unknown ?? 'noArrival'], sides: bare }
  const since = measuredUntil ?? startedAt
  const silence = silenceOf(facts)
  const reasons = new Set<OutlookReason>(silence ? [silence] : [])
  if (arrival.latest <= now) reasons.add('overdue')
  const sides = allowances.map((allowance): OutlookSide => {
    const { values, reasons: own } = ratesOf(facts, allowance)
    for (const reason of own) reasons.add(reason)
    const until = (at: number) => Math.max(0, Math.max(at, now) - since)
    const use =
      values.length === 0
        ? null
        : { low: Math.min(...values) * until(arrival.earliest), high: Math.max(...values) * until(arrival.latest) }
    return { side: allowance.side, leftMs: allowance.leftMs, use }
  })
  return { state: stateOf(sides), reasons: [...reasons], sides }
}

function stateOf(sides: readonly OutlookSide[]): OutlookState {
  if (sides.some(({ use, leftMs }) => use && use.low > leftMs)) return 'beyond'
  if (sides.some(({ use }) => use === null)) return 'unknown'
  return sides.some(({ use, leftMs }) => use && use.high > leftMs) ? 'atRisk' : 'within'
}
