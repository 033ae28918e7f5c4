import type { Device, DeviceQuery, OpenAlarms } from '@isotherm/contract/devices.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import { deviceIdOf } from '../../core/devices/visible-devices.ts'
import type { Context } from '../../platform/context.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { type DeviceRow, loadDevices, loadSparklines } from './device-queries.ts'
import { inSlices } from './in-slices.ts'
import { findPage } from './list-queries.ts'
import { presentDevice } from './present.ts'

/** The row of a device the person may see; throws NOT_FOUND for any other. */
export async function findDevice(ctx: Context, id: string | number): Promise<DeviceRow> {
  const [row] = await loadDevices(ctx, [typeof id === 'number' ? id : deviceIdOf(id)])
  return orNotFound(row)
}

/** One device the person may see; throws NOT_FOUND for any other. */
export const getDevice = async (ctx: Context, id: string): Promise<Device> => presentDevice(await findDevice(ctx, id))

/** The visible ones of these devices, in their order. */
export const devicesByIds = (ctx: Context, ids: number[]): Promise<Device[]> =>
  inSlices(ids, async (some) => (await loadDevices(ctx, some)).map((row) => presentDevice(row)))

/** The same with their last 24 hours. */
export async function devicesWithTrend(ctx: Context, ids: number[]): Promise<Device[]> {
  const [rows, sparks] = await Promise.all([loadDevices(ctx, ids), loadSparklines(ctx, ids)])
  return rows.map((row) => presentDevice(row, sparks))
}

/** The open alarms of a page's devices. The app hands it in. */
export type OpenAlarmsOf = (ctx: Context, deviceIds: readonly number[]) => Promise<Map<number, OpenAlarms>>

/** A page of the devices the person may see. */
export async function listDevices(ctx: Context, query: DeviceQuery, openAlarmsOf: OpenAlarmsOf) {
  const { ids, total } = await findPage(ctx, query)
  const [rows, sparks, open] = await Promise.all([
    loadDevices(ctx, ids),
    query.sparkline === 'true' ? loadSparklines(ctx, ids) : undefined,
    openAlarmsOf(ctx, ids),
  ])
  const data = rows.map((row) => ({ ...presentDevice(row, sparks), openAlarms: open.get(row.id) ?? null }))
  return { data, meta: metaOf(query, total) }
}
