import { createHash } from 'node:crypto'
import type { Period } from '@isotherm/contract/common.ts'
import type { ChartQuery, GroupChart } from '@isotherm/contract/groups.ts'
import {
  orderLinkLimits,
  type ShownConditions,
  type StopChart,
  type StopConditions,
} from '@isotherm/contract/order-links.ts'
import type { BudgetState } from '@isotherm/contract/record-budget.ts'
import type { StatsOfDevice } from '@isotherm/contract/stats.ts'
import { fromCenti, type Measure } from '../../domain/measures.ts'
import { verdictOfRecord } from '../../domain/record-verdict.ts'
import { type Rules, ruleAt, rulesOf } from '../../domain/rules.ts'
import { canonical } from '../../platform/audit/audit.ts'
import type { Context, TenantTx } from '../../platform/context.ts'
import { loadIntervals, loadLimits } from '../devices/rule-rows.ts'
import { lastTemperatures, watchedDevices } from './conditions-queries.ts'
import type { OrderRow, ReceiverRow } from './order-queries.ts'

/** Devices from one instant to another, both included. */
export interface Stretch {
  devices: readonly number[]
  from: Date
  to: Date
}

/** The figures that features know; the app hands them in. */
export interface ConditionSources {
  stats(ctx: Context, deviceId: number, period: Period): Promise<StatsOfDevice>
  chart(ctx: Context, deviceIds: readonly number[], wanted: Period & ChartQuery): Promise<GroupChart>
  /** The budget of a record at an instant, whoever asks; null without one. */
  budget(ctx: TenantTx, recordId: string, at: Date): Promise<BudgetState | null>
  /** A hash of all readings of a stretch, hex. */
  readingsHash(ctx: TenantTx, stretch: Stretch): Promise<string>
}

/** The end of what speaks for a receiver's goods: the hand-over, else the end of the order, else now. */
export const conditionsEnd = (order: OrderRow, receiver: ReceiverRow, now: Date): Date =>
  receiver.settled_at ?? order.ended_at ?? order.cancelled_at ?? now

/** Conditions as they are shown, and what a later look compares: the devices that they are of, and the hash of their readings. */
export interface BoundConditions {
  shown: ShownConditions
  devices: number[]
  readings: string
}

interface Window {
  order: OrderRow
  receiver: ReceiverRow
  to: Date
  hasChart?: boolean
}

/**
 * The conditions of a receiver's goods from the start of the order to an instant, by the devices that the viewer may see, with the hash that
 * binds them to the readings. Null before the start, and where the viewer sees none of the devices.
 */
export async function conditionsOf(
  ctx: Context,
  sources: ConditionSources,
  { order, receiver, to, hasChart = false }: Window,
): Promise<BoundConditions | null> {
  const from = order.started_at
  if (!from || to < from) return null
  const watched = await watchedDevices(ctx, receiver)
  const seen = watched.filter(({ isSeen }) => isSeen).map(({ id }) => id)
  if (seen.length === 0) return null
  return conditionsOfDevices(ctx, sources, {
    order,
    receiver,
    to,
    hasChart,
    seen,
    from,
    isWhole: seen.length === watched.length,
  })
}

interface DeviceWindow extends Window {
  seen: readonly number[]
  from: Date
  /** These are all of the devices: then the budget of the record is theirs. */
  isWhole: boolean
}

/** The same of devices that are known. */
export async function conditionsOfDevices(
  ctx: Context,
  sources: ConditionSources,
  { order, receiver, to, hasChart = false, seen, from, isWhole }: DeviceWindow,
): Promise<BoundConditions> {
  const period = { from: from.toISOString(), to: to.toISOString() }
  const devices: Measured[] = []
  for (const id of seen) {
    const stats = await sources.stats(ctx, id, period)
    devices.push({ id, stats, rules: rulesOf(await loadLimits(ctx, id), await loadIntervals(ctx, id)) })
  }
  const last = await lastTemperatures(ctx, seen, { from, to })
  const budget = isWhole && order.record_id !== null ? await sources.budget(ctx, order.record_id, to) : null
  const conditions: StopConditions = {
    ...period,
    verdict: verdictOfRecord(devices.map(({ stats }) => stats)),
    ...nowOf(devices, last, to),
    worst: worstOf(devices),
    outMs: longestOut(devices, 'temperature'),
    ...humidityOf(devices),
    coveragePct: leastOf(devices.map(({ stats }) => stats.temperature.coveragePct)),
    budget: budget && { state: budget.state, leftPct: leftPctOf(budget) },
    readings: devices.reduce((sum, { stats }) => sum + stats.temperature.count, 0),
    devices: devices.length,
  }
  const readings = await sources.readingsHash(ctx, { devices: seen, from, to })
  const chart = hasChart ? await chartOf(ctx, sources, seen, period) : null
  return {
    shown: { conditions, chart, sha256: hashOf(order, receiver, conditions, readings) },
    devices: [...seen],
    readings,
  }
}

/** Binds what was shown to the readings, and to the goods that it speaks of. */
const hashOf = (order: OrderRow, receiver: ReceiverRow, conditions: StopConditions, readings: string): string =>
  createHash('sha256')
    .update(canonical({ order: order.id, receiver: receiver.id, conditions, readings }))
    .digest('hex')

/** A device, with its statistics of a time and its limits. */
export interface Measured {
  id: number
  stats: StatsOfDevice
  rules: Rules
}

/** How far a value lies beyond its limits, hundredths; below zero where it is within, minus infinity without limits. */
const beyond = (centi: number, { min, max }: { min: number | null; max: number | null }): number =>
  Math.max(max === null ? -Infinity : centi - max, min === null ? -Infinity : min - centi)

const furthest = <T>(list: readonly T[], by: (one: T) => number): T | undefined =>
  list.reduce<T | undefined>((best, one) => (best === undefined || by(one) > by(best) ? one : best), undefined)

function nowOf(devices: readonly Measured[], last: readonly { deviceId: number; centi: number; at: Date }[], to: Date) {
  const ruleOf = (id: number, at: number) => ruleAt(devices.find((one) => one.id === id)?.rules.temperature ?? [], at)
  const shown = furthest(last, ({ deviceId, centi, at }) => beyond(centi, ruleOf(deviceId, at.getTime())))
  const { min, max } = ruleOf(shown?.deviceId ?? devices[0]?.id ?? 0, to.getTime())
  return {
    now: shown ? { temperatureC: fromCenti(shown.centi), at: shown.at.toISOString() } : null,
    limits: { min: min === null ? null : fromCenti(min), max: max === null ? null : fromCenti(max) },
  }
}

/** The value of a measure that is furthest beyond the limits of its time, or nearest to them. */
function furthestOf(devices: readonly Measured[], measure: Measure) {
  const extremes = devices.flatMap(({ stats, rules }) =>
    [stats[measure].min, stats[measure].max].flatMap((one) => {
      if (!one) return []
      const rule = ruleAt(rules[measure], Date.parse(one.at))
      return [{ ...one, rule, by: beyond(Math.round(one.value * 100), rule) }]
    }),
  )
  return furthest(extremes, ({ by }) => by)
}

export function worstOf(devices: readonly Measured[]): StopConditions['worst'] {
  const worst = furthestOf(devices, 'temperature')
  return worst ? { temperatureC: worst.value, at: worst.at, isOutside: worst.by > 0 } : null
}

const longestOut = (devices: readonly Measured[], measure: Measure): number =>
  Math.max(...devices.map(({ stats }) => stats[measure].aboveMs + stats[measure].belowMs))

/** The humidity, where a device has it out of range: else the temperature alone speaks for the goods. */
export function humidityOf(devices: readonly Measured[]): Pick<StopConditions, 'humidity'> {
  const outside = devices.filter(({ stats }) => stats.humidity.verdict === 'outOfRange')
  const worst = furthestOf(outside, 'humidity')
  if (!worst) return {}
  const { min, max } = worst.rule
  const limits = { min: min === null ? null : fromCenti(min), max: max === null ? null : fromCenti(max) }
  return { humidity: { limits, worstPct: worst.value, at: worst.at, outMs: longestOut(outside, 'humidity') } }
}

const leastOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === values.length ? Math.min(...known) : null
}

function leftPctOf({ above, below }: BudgetState): number | null {
  const left = [above, below].flatMap((one) => (one ? [(one.leftMs / one.allowedMs) * 100] : []))
  return left.length > 0 ? Math.min(...left) : null
}

async function chartOf(
  ctx: Context,
  sources: ConditionSources,
  devices: readonly number[],
  period: Period,
): Promise<StopChart> {
  const drawn = await sources.chart(ctx, devices, {
    ...period,
    ...{ measure: 'temperature', points: orderLinkLimits.chartPoints },
  })
  return { atMs: drawn.atMs, minC: drawn.band.min, maxC: drawn.band.max }
}
