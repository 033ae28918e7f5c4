import type { LimitsFrom } from '@isotherm/contract/devices.ts'
import { loadLimits } from '../../core/devices/rule-rows.ts'
import { deviceIdOf, findVisible } from '../../core/devices/visible-devices.ts'
import { hundredths } from '../../domain/measures.ts'
import type { Context } from '../../platform/context.ts'

/** Which limits judged when, newest first; throws NOT_FOUND where the person may not see the device. */
export async function limitsHistory(ctx: Context, id: string): Promise<LimitsFrom[]> {
  const device = await findVisible(ctx, deviceIdOf(id))
  const rows = await loadLimits(ctx, device.id)
  return rows.reverse().map((row) => ({
    from: new Date(row.from).toISOString(),
    temperatureMinC: hundredths(row.temperatureMin),
    temperatureMaxC: hundredths(row.temperatureMax),
    humidityMinPct: hundredths(row.humidityMin),
    humidityMaxPct: hundredths(row.humidityMax),
  }))
}
