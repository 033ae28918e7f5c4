import type { FlightSchedule } from '@isotherm/contract/device-life.ts'
import { deviceIdOf, findVisible } from '../../platform/devices/visible-devices.ts'
import type { Context } from '../../platform/http/context.ts'

/** How flight mode stands, as requested and as the device confirmed it. */
export async function readFlight(ctx: Context, deviceId: number): Promise<FlightSchedule> {
  const current = await ctx.tx
    .selectFrom('flight_modes')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('device_id', '=', deviceId)
    .where('state', '<>', 'off')
    .executeTakeFirst()
  const { flight_mode: confirmed } = await ctx.tx
    .selectFrom('devices')
    .select('flight_mode')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', deviceId)
    .executeTakeFirstOrThrow()
  return {
    state: (current?.state ?? 'off') as FlightSchedule['state'],
    kind: (current?.kind ?? null) as FlightSchedule['kind'],
    carrierCode: current?.carrier_code ?? null,
    flightNumber: current?.flight_number ?? null,
    scheduledDepartureDate: current?.departs_at?.toISOString() ?? null,
    startedAt: current?.started_at?.toISOString() ?? null,
    confirmed: confirmed === (current?.state === 'on' ? 'on' : 'off'),
  }
}

/** The same of a device the person may see; throws NOT_FOUND. */
export async function getFlight(ctx: Context, id: string): Promise<FlightSchedule> {
  const device = await findVisible(ctx, deviceIdOf(id))
  return readFlight(ctx, device.id)
}
