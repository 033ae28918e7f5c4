import { type Device, type DeviceQuery, devices } from '@isotherm/contract/devices.ts'
import { limits } from '@isotherm/contract/limits.ts'
import { type CallOptions, call } from '../../lib/call.ts'

/** All devices of a filtered list, page by page, at most `most`; `total` says how many there are. */
export async function everyDevice(
  query: Partial<DeviceQuery>,
  most: number,
  options: CallOptions = {},
): Promise<{ found: Device[]; total: number }> {
  const found: Device[] = []
  for (let page = 1; ; page++) {
    const { data, meta } = await call(devices.list, { query: { ...query, page, perPage: limits.maxPerPage } }, options)
    found.push(...data)
    if (page >= meta.pageCount || found.length >= most) return { found: found.slice(0, most), total: meta.total }
  }
}
