import type { Period } from '@isotherm/contract/common.ts'
import { loadIntervals, loadLimits } from '../../core/devices/rule-rows.ts'
import { findVisible } from '../../core/devices/visible-devices.ts'
import { isImei } from '../../domain/identifiers.ts'
import { type Rules, rulesOf } from '../../domain/rules.ts'
import type { Span } from '../../domain/stats.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { probeOf } from './probe-queries.ts'

/** A period of one device the person may see. */
export interface StatsScope {
  deviceId: number
  name: string
  /** Ends at the latest now, and before what a lapsed licence hides. */
  span: Span
  rules: Rules
}

/** Checks that the person may see the device and loads what judges its readings; throws NOT_FOUND. */
export async function openStats(ctx: Context, deviceId: number, period: Period): Promise<StatsScope> {
  const [device, limits, intervals] = await Promise.all([
    findVisible(ctx, deviceId),
    loadLimits(ctx, deviceId),
    loadIntervals(ctx, deviceId),
  ])
  const rules = rulesOf(limits, intervals)
  const to = Math.min(Date.parse(period.to), ctx.clock.now().getTime(), device.shownUntil)
  return { deviceId: device.id, name: device.name, span: { from: Date.parse(period.from), to }, rules }
}

/** The company's device that a probe of this hardware measures for, or last measured for; throws NOT_FOUND. */
export async function findByImei(ctx: Context, imei: string, probe?: number): Promise<{ id: number; probe: number }> {
  if (!isImei(imei)) throw new AppError('NOT_FOUND')
  return orNotFound(await probeOf(ctx, imei, probe))
}
