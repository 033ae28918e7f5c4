import type { DeviceLife } from '@isotherm/contract/device-life.ts'
import { deviceIdOf, visibleSql } from '../../platform/devices/visible-devices.ts'
import { AppError } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'
import { readFlight } from './read-flight.ts'

/** A device's hardware through time, its licences, power and flight mode; throws NOT_FOUND. */
export async function getLife(ctx: Context, id: string | number): Promise<DeviceLife> {
  const device = await ctx.tx
    .selectFrom('devices as d')
    .select(['d.id', 'd.licence_until', 'd.power', 'd.decommissioned_at'])
    .where(visibleSql(ctx))
    .where('d.id', '=', typeof id === 'number' ? id : deviceIdOf(id))
    .executeTakeFirst()
  if (!device) throw new AppError('NOT_FOUND')
  const hardware = await ctx.tx
    .selectFrom('assignments')
    .select(['imei', 'probe', 'valid_from', 'valid_to'])
    .where('company_id', '=', ctx.companyId)
    .where('device_id', '=', device.id)
    .orderBy('valid_from', 'desc')
    .execute()
  const licences = await ctx.tx
    .selectFrom('licence_uses as u')
    .innerJoin('licences as l', (join) =>
      join.onRef('l.company_id', '=', 'u.company_id').onRef('l.id', '=', 'u.licence_id'),
    )
    .select(['l.hint', 'u.added_at', 'l.expires_at'])
    .where('u.company_id', '=', ctx.companyId)
    .where('u.device_id', '=', device.id)
    .orderBy('u.added_at', 'desc')
    .execute()
  return {
    deviceId: String(device.id),
    hardware: hardware.map((row) => ({
      imei: row.imei,
      probe: row.probe,
      from: row.valid_from.toISOString(),
      to: row.valid_to?.toISOString() ?? null,
    })),
    licences: licences.map((row) => ({
      hint: row.hint,
      addedAt: row.added_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
    })),
    licenceUntil: device.licence_until?.toISOString() ?? null,
    power: device.power as DeviceLife['power'],
    flight: await readFlight(ctx, device.id),
    decommissionedAt: device.decommissioned_at?.toISOString() ?? null,
  }
}
