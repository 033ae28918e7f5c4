import type { Period } from '@isotherm/contract/common.ts'
import { hourMs } from '../../domain/rollup.ts'
import { type IntervalFrom, type LimitsFrom, type Rules, rulesOf } from '../../domain/rules.ts'
import { hiddenFrom, seesPrivate } from '../../platform/auth/visibility.ts'
import { AppError } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'
import { deviceIdOf } from './policy.ts'

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
  const device = await ctx.tx
    .selectFrom('devices')
    .select(['id', 'visibility', 'licence_until'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', deviceIdOf(id))
    .executeTakeFirst()
  if (!device || (device.visibility === 'private' && !seesPrivate(ctx.person))) throw new AppError('NOT_FOUND')
  const limits = await loadLimits(ctx, device.id)
  const rules = rulesOf(limits, await loadIntervals(ctx, device.id))
  const shownUntil = (hiddenFrom(device.licence_until)?.getTime() ?? Number.POSITIVE_INFINITY) - 1
  return {
    deviceId: device.id,
    from: Date.parse(period.from),
    to: Math.min(Date.parse(period.to), shownUntil),
    limits,
    rules,
  }
}

async function loadLimits(ctx: Context, deviceId: number): Promise<LimitsFrom[]> {
  const rows = await ctx.tx
    .selectFrom('device_limits')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('device_id', '=', deviceId)
    .orderBy('valid_from')
    .execute()
  return rows.map((row) => ({
    from: row.valid_from.getTime(),
    temperatureMin: row.temperature_min_centi,
    temperatureMax: row.temperature_max_centi,
    humidityMin: row.humidity_min_centi,
    humidityMax: row.humidity_max_centi,
  }))
}

async function loadIntervals(ctx: Context, deviceId: number): Promise<IntervalFrom[]> {
  const rows = await ctx.tx
    .selectFrom('device_intervals')
    .select(['valid_from', 'interval_s'])
    .where('company_id', '=', ctx.companyId)
    .where('device_id', '=', deviceId)
    .orderBy('valid_from')
    .execute()
  // pg gives -infinity as a number, not as a Date.
  return rows.map((row) => ({ from: Number(row.valid_from), intervalS: row.interval_s }))
}

/** The whole hours within a period, which the rollups answer; null where there is none. */
export function wholeHours({ from, to }: { from: number; to: number }): { first: number; end: number } | null {
  const first = Math.ceil(from / hourMs) * hourMs
  const end = Math.floor(to / hourMs) * hourMs
  return first < end ? { first, end } : null
}
