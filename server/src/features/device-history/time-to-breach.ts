import type { Device, TimeToBreach } from '@isotherm/contract/devices.ts'
import { toCenti } from '../../domain/measures.ts'
import { timeToBreach } from '../../domain/time-to-breach.ts'
import type { Context } from '../../platform/context.ts'
import { recentPoints } from './heading-queries.ts'

/** The device with where its temperature is heading. Nothing is read for one that is not heard of, out of range or without limits. */
export async function withTimeToBreach(ctx: Context, device: Device): Promise<Device> {
  return { ...device, timeToBreach: await headingOf(ctx, device) }
}

async function headingOf(ctx: Context, device: Device): Promise<TimeToBreach> {
  const { temperatureMinC: min, temperatureMaxC: max } = device.limits
  if ((min === null && max === null) || device.judgement.temperature !== 'inRange') return { state: 'notHeading' }
  if (device.status !== 'live' && device.status !== 'late') return { state: 'notEnoughData' }
  const intervalMs = device.intervalS * 1000
  const now = ctx.clock.now()
  const id = Number(device.id)
  const points = (await recentPoints(ctx, [{ id, interval_s: device.intervalS }], now)).get(id) ?? []
  const limits = { min: min === null ? null : toCenti(min), max: max === null ? null : toCenti(max), intervalMs }
  const heading = timeToBreach(points, limits, now.getTime())
  if (heading.state !== 'heading') return { state: heading.state }
  return {
    state: 'heading',
    side: heading.side,
    limitC: heading.limit / 100,
    at: now.toISOString(),
    minutes: Math.round(heading.minutes),
    lowMinutes: Math.floor(heading.low),
    highMinutes: Math.ceil(heading.high),
  }
}
