import type { Device, TimeToBreach } from '@isotherm/contract/devices.ts'
import { sql } from 'kysely'
import { type Point, toCenti } from '../../domain/measures.ts'
import { lookBackMs, timeToBreach } from '../../domain/time-to-breach.ts'
import type { Context } from '../../platform/http/context.ts'

/** More than the hours looked back on ever need: 12 hours of a reading a minute. */
export const maxPoints = 720

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
  const points = await recentTemperatures(ctx, device.id, now, lookBackMs(intervalMs))
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

async function recentTemperatures(ctx: Context, deviceId: string, now: Date, backMs: number): Promise<Point[]> {
  const { rows } = await sql<Point>`
    select (extract(epoch from measured_at) * 1000)::float8 as at, temperature_centi as value from readings
    where company_id = ${ctx.companyId} and device_id = ${Number(deviceId)} and measured_at > ${new Date(now.getTime() - backMs)}
      and measured_at <= ${now} and temperature_centi is not null
    order by measured_at desc limit ${maxPoints}`.execute(ctx.tx)
  return rows.reverse()
}
