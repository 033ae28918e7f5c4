import type { DashboardHeading } from '@isotherm/contract/dashboard.ts'
import { fromCenti } from '../../domain/measures.ts'
import { timeToBreach } from '../../domain/time-to-breach.ts'
import type { Context } from '../../platform/context.ts'
import { nearestToALimit, recentPoints } from './heading-queries.ts'

const maxShown = 5

/** Devices in range whose temperature is on its way out, soonest first. */
export async function headingOut(ctx: Context): Promise<DashboardHeading[]> {
  const nearest = await nearestToALimit(ctx)
  const now = ctx.clock.now()
  const points = await recentPoints(ctx, nearest, now)
  const found = nearest.flatMap((device): DashboardHeading[] => {
    const limits = { min: device.min, max: device.max, intervalMs: device.interval_s * 1000 }
    const heading = timeToBreach(points.get(device.id) ?? [], limits, now.getTime())
    if (heading.state !== 'heading') return []
    return [
      {
        deviceId: String(device.id),
        deviceName: device.name,
        value: fromCenti(device.value),
        limit: fromCenti(heading.limit),
        side: heading.side,
        minutes: Math.round(heading.minutes),
        lowMinutes: Math.floor(heading.low),
        highMinutes: Math.ceil(heading.high),
      },
    ]
  })
  return found.sort((a, b) => a.minutes - b.minutes).slice(0, maxShown)
}
