import type { Device, DeviceQuery } from '@isotherm/contract/devices.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import { deviceIdOf } from '../../platform/devices/visible-devices.ts'
import { AppError } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'
import { loadDevices, loadSparklines } from './device-queries.ts'
import { findPage } from './list-queries.ts'
import { presentDevice } from './present.ts'

/** One device the person may see; throws NOT_FOUND for any other. */
export async function getDevice(ctx: Context, id: string): Promise<Device> {
  const [row] = await loadDevices(ctx, [deviceIdOf(id)])
  if (!row) throw new AppError('NOT_FOUND')
  return presentDevice(row)
}

/** The visible ones of these devices, in their order. */
export const devicesByIds = async (ctx: Context, ids: number[]): Promise<Device[]> =>
  (await loadDevices(ctx, ids)).map((row) => presentDevice(row))

/** A page of the devices the person may see. */
export async function listDevices(ctx: Context, query: DeviceQuery) {
  const { ids, total } = await findPage(ctx, query)
  const rows = await loadDevices(ctx, ids)
  const sparks = query.sparkline === 'true' ? await loadSparklines(ctx, ids) : undefined
  return { data: rows.map((row) => presentDevice(row, sparks)), meta: metaOf(query, total) }
}
