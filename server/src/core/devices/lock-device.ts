import type { Context } from '../../platform/context.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { maySee } from '../visibility/visibility.ts'
import { deviceIdOf } from './visible-devices.ts'

export interface LockedDevice {
  id: number
  name: string
  tag: string | null
  type: string
  visibility: string
  interval_s: number
  transmission: string
  power: string
  flight_mode: string
  licence_id: number | null
  licence_until: Date | null
  decommissioned_at: Date | null
  sample_until: Date | null
  version: number
}

/** Locks those of these devices that the person may see, until the transaction ends; by id. */
export async function lockDevices(ctx: Context, ids: readonly number[]): Promise<LockedDevice[]> {
  const rows = await ctx.tx
    .selectFrom('devices')
    .select(['id', 'name', 'tag', 'type', 'visibility', 'interval_s', 'transmission', 'power', 'flight_mode'])
    .select(['licence_id', 'licence_until', 'decommissioned_at', 'sample_until', 'version'])
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.filter((row) => maySee(ctx.person, row))
}

/** Locks a device the person may see, until the transaction ends; throws NOT_FOUND for any other. */
export async function lockDevice(ctx: Context, id: string | number): Promise<LockedDevice> {
  const [row] = await lockDevices(ctx, [typeof id === 'number' ? id : deviceIdOf(id)])
  return orNotFound(row)
}

/** Locks a device in use the person may see; throws NOT_FOUND, or DEVICE_DECOMMISSIONED. */
export async function lockInUse(ctx: Context, id: string | number): Promise<LockedDevice> {
  const device = await lockDevice(ctx, id)
  if (device.decommissioned_at) throw new AppError('DEVICE_DECOMMISSIONED')
  return device
}

/** Throws SAMPLE_DEVICE for the sample device: it takes no licence and no other hardware. */
export function refuseSample(device: LockedDevice): void {
  if (device.sample_until) throw new AppError('SAMPLE_DEVICE')
}

/** The company's devices that this hardware measures for now, one per probe, ascending. */
export async function devicesOn(ctx: Context, imei: string): Promise<{ device_id: number; probe: number }[]> {
  return ctx.tx
    .selectFrom('assignments')
    .select(['device_id', 'probe'])
    .where('company_id', '=', ctx.companyId)
    .where('imei', '=', imei)
    .where('valid_to', 'is', null)
    .orderBy('device_id')
    .execute()
}

export const targetOf = (device: { id: number; name: string }) => ({
  kind: 'device',
  id: String(device.id),
  name: device.name,
})

/** The facts that `requestCommand` needs besides the command. */
export const aboutOf = (ctx: Context, device: { id: number }) => ({
  companyId: ctx.companyId,
  deviceId: device.id,
  userId: ctx.person.id,
  now: ctx.clock.now(),
})

export const isPrivate = (device: { visibility: string }): boolean => device.visibility === 'private'
