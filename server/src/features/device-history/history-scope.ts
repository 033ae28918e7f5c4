import type { Period } from '@isotherm/contract/common.ts'
import { loadIntervals, loadLimits } from '../../core/devices/rule-rows.ts'
import { deviceIdOf, findVisible } from '../../core/devices/visible-devices.ts'
import { hourMs } from '../../domain/rollup.ts'
import { type LimitsFrom, type Rules, rulesOf } from '../../domain/rules.ts'
import type { Context } from '../../platform/context.ts'

/** A period of one device the person may see; both ends belong to it. Instants in ms since 1970. */
export interface HistoryScope {
  deviceId: number
  from: number
  /** Not after the readings a lapsed licence hides. */
  to: number
  limits: LimitsFrom[]
  rules: Rules
}

/** Checks that the person may see the device and loads what judges its readings; throws NOT_FOUND. */
export async function openHistory(ctx: Context, id: string, period: Period): Promise<HistoryScope> {
  const deviceId = deviceIdOf(id)
  const [device, limits, intervals] = await Promise.all([
    findVisible(ctx, deviceId),
    loadLimits(ctx, deviceId),
    loadIntervals(ctx, deviceId),
  ])
  const rules = rulesOf(limits, intervals)
  return {
    deviceId: device.id,
    from: Date.parse(period.from),
    to: Math.min(Date.parse(period.to), device.shownUntil),
    limits,
    rules,
  }
}

/** The whole hours within a period, which the rollups answer; null where there is none. */
export function wholeHours({ from, to }: { from: number; to: number }): { first: number; end: number } | null {
  const first = Math.ceil(from / hourMs) * hourMs
  const end = Math.floor(to / hourMs) * hourMs
  return first < end ? { first, end } : null
}
