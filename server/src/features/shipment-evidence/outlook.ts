import { expectedArrival } from '@isotherm/contract/expected-arrival.ts'
import type { BudgetState } from '@isotherm/contract/record-budget.ts'
import type { BudgetOutlook } from '@isotherm/contract/shipment-evidence.ts'
import { presentLeg } from '../../core/shipments/present-shipment.ts'
import { findShipment, type LegRow, legsOf, type ShipmentRow } from '../../core/shipments/shipment-queries.ts'
import { type AllowanceLeft, budgetOutlook, leastTrips, recentMs } from '../../domain/budget-outlook.ts'
import { quantile } from '../../domain/eta.ts'
import { toCenti } from '../../domain/measures.ts'
import type { Context, TenantTx } from '../../platform/context.ts'
import { measuredUntil, type PastUse, pastLegs, pastUse, seesAllDevices } from './outlook-queries.ts'

/** The budget of a record at an instant, whoever asks; null without one. */
export type BudgetSource = (ctx: TenantTx, recordId: string, at: Date) => Promise<BudgetState | null>

const unknown = (reason: BudgetOutlook['reasons'][number]): BudgetOutlook => ({
  ...{
    state: 'unknown',
    reasons: [reason],
    budget: null,
    arrival: null,
    measuredUntil: null,
    sides: [],
    pastShipments: 0,
  },
})

/** Whether a shipment under way arrives within its budget; null for any other. Throws NOT_FOUND. */
export async function outlookOf(
  ctx: Context,
  budgetAt: BudgetSource,
  shipmentId: string,
): Promise<BudgetOutlook | null> {
  const shipment = await findShipment(ctx, shipmentId)
  const { state, started_at: startedAt, record_id: recordId } = shipment
  if (state !== 'ongoing' || !startedAt) return null
  if (shipment.budget === null) return unknown('noBudget')
  if (recordId === null) return unknown('noDevices')
  if (!(await seesAllDevices(ctx, shipmentId))) return unknown('hidden')
  const now = ctx.clock.now()
  const { at: until, ms: measuredMs } = await measuredUntil(ctx, shipmentId)
  const budget = await budgetAt(ctx, recordId, now)
  if (!budget) return unknown('noBudget')
  const arrival = await arrivalOf(ctx, shipmentId)
  const past = await pastUse(ctx, shipment, thresholdsOf(budget))
  const outlook = budgetOutlook({
    ...{ startedAt: startedAt.getTime(), now: now.getTime(), measuredUntil: until?.getTime() ?? null },
    ...{ measuredMs, isSpent: budget.state === 'spent', arrival: arrival?.span ?? null },
    allowances: await allowancesOf(ctx, budgetAt, { shipment, recordId, budget, until, past }),
  })
  return {
    ...{ state: outlook.state, reasons: outlook.reasons, budget, measuredUntil: until?.toISOString() ?? null },
    arrival: arrival && {
      ...{ earliest: iso(arrival.span.earliest), latest: iso(arrival.span.latest) },
      ...{ timezone: arrival.leg.to_zone, trips: arrival.trips },
    },
    sides: outlook.sides.flatMap(({ side, leftMs, use }) => {
      const allowance = budget[side]
      if (!allowance) return []
      const { limitC, allowedMs } = allowance
      const shown = use && { lowMs: Math.round(use.low), highMs: Math.round(use.high) }
      return [{ side, limitC, allowedMs, leftMs, use: shown }]
    }),
    pastShipments: past.length,
  }
}

const iso = (at: number) => new Date(at).toISOString()
const centiOf = (allowance: BudgetState['above']) => allowance && toCenti(allowance.limitC)
const thresholdsOf = ({ above, below }: BudgetState) => ({ above: centiOf(above), below: centiOf(below) })

/** The arrival of the last leg: as expected from the plan, and as much later or earlier as legs between its places were. */
async function arrivalOf(ctx: Context, shipmentId: string) {
  const leg = (await legsOf(ctx, [shipmentId])).findLast(({ rolled_at }) => rolled_at === null)
  const now = ctx.clock.now().getTime()
  const expected = leg ? expectedArrival(presentLeg(leg), now) : null
  if (!leg || expected === null) return null
  const delays = await delaysOf(ctx, leg)
  const by = (share: number) => (delays.length < leastTrips ? 0 : quantile(delays, share))
  const span = { earliest: Math.max(now, expected + by(0.2)), latest: Math.max(now, expected + by(0.8)) }
  return { leg, span, trips: delays.length < leastTrips ? 0 : delays.length }
}

/** Delays of earlier legs, ascending, ms: on the way alone once this one has departed, since `expectedArrival` knows how late that was. */
async function delaysOf(ctx: Context, leg: LegRow): Promise<number[]> {
  const legs = await pastLegs(ctx, leg)
  return legs.map(({ late, slow }) => (leg.atd === null ? late : slow)).sort((a, b) => a - b)
}

interface Used {
  shipment: ShipmentRow
  recordId: string
  budget: BudgetState
  until: Date | null
  past: readonly PastUse[]
}

/** The allowances of a budget, with the time that was used of late. */
async function allowancesOf(
  ctx: Context,
  budgetAt: BudgetSource,
  { shipment: { started_at: startedAt }, recordId, budget, until, past }: Used,
): Promise<AllowanceLeft[]> {
  const before = until && new Date(until.getTime() - recentMs)
  const then = before && startedAt && before > startedAt ? await budgetAt(ctx, recordId, before) : null
  return (['above', 'below'] as const).flatMap((side): AllowanceLeft[] => {
    const now = budget[side]
    if (!now) return []
    const recent = then ? now.usedMs - (then[side]?.usedMs ?? 0) : null
    const history = past.map((one) => one[side])
    return [{ side, leftMs: now.leftMs, usedMs: now.usedHereMs, recentMs: recent, history }]
  })
}
