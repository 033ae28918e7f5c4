import type { DevicePath, Reading } from '@isotherm/contract/device-history.ts'
import { type Meta, metaOf } from '@isotherm/contract/paging.ts'
import { phoneSilentMs } from '../../core/orders/phone-sql.ts'
import { degrees } from '../../domain/measures.ts'
import type { Context } from '../../platform/context.ts'
import { countFixes, type FixRow, type PhoneSpan, pageOfFixes, someFixes } from './phone-queries.ts'

/** The fixes of a phone while an order was under way: readings that have a position only. */
export async function phoneReadings(
  ctx: Context,
  span: PhoneSpan,
  paging: { page: number; perPage: number },
): Promise<{ data: Reading[]; meta: Meta }> {
  const data = (await pageOfFixes(ctx, span, paging)).map((row) => ({
    ...{ at: row.at.toISOString(), receivedAt: row.recorded_at.toISOString(), ...placeOf(row) },
    ...{ temperatureC: null, humidityPct: null, batteryPct: null, lightLux: null, temperature: null, humidity: null },
  }))
  return { data, meta: metaOf(paging, await countFixes(ctx, span)) }
}

/** The path of a phone, in pieces where it was silent. */
export async function phonePath(ctx: Context, span: PhoneSpan, points: number): Promise<DevicePath> {
  const fixes = await someFixes(ctx, span, points)
  const segments: DevicePath['segments'] = []
  for (const [index, fix] of fixes.entries()) {
    const before = fixes[index - 1]
    if (!before || fix.at.getTime() - before.at.getTime() > phoneSilentMs) segments.push([])
    segments.at(-1)?.push({
      ...{ at: fix.at.toISOString(), ...placeOf(fix) },
      ...{ temperatureC: null, humidityPct: null, temperature: null },
    })
  }
  return { segments, leftOut: (fixes[0]?.total ?? 0) - fixes.length }
}

const placeOf = ({ lat_e7, lon_e7 }: FixRow) => ({ lat: degrees(lat_e7), lon: degrees(lon_e7) })
