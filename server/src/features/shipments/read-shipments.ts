import { metaOf } from '@isotherm/contract/paging.ts'
import type {
  DevicesByStatus,
  MapShipment,
  ShipmentQuery,
  ShipmentSelection,
  ShipmentSummary,
} from '@isotherm/contract/shipment-calls.ts'
import { endOf } from '../../core/shipments/ends.ts'
import { presentShipments } from '../../core/shipments/present-shipment.ts'
import { showShipmentNumber } from '../../domain/shipment-number.ts'
import type { Viewer } from '../../platform/context.ts'
import {
  countDevices,
  devicesOf,
  type MapRow,
  mapRows,
  pageOfShipments,
  shipmentCounts,
  sidesOutside,
} from './list-queries.ts'

export async function listShipments(ctx: Viewer, query: ShipmentQuery) {
  const { rows, total } = await pageOfShipments(ctx, query)
  return {
    data: await presentShipments(ctx, rows),
    meta: metaOf(query, total),
    filterCounts: await shipmentCounts(ctx, query),
  }
}

export async function summaryOf(ctx: Viewer): Promise<ShipmentSummary> {
  const { filter = {}, attention = {} } = await shipmentCounts(ctx, {})
  const { all = 0, ...byState } = filter
  const { late = 0, arrivingSoon = 0, unwatched = 0 } = attention
  return { all, byState: byState as ShipmentSummary['byState'], late, arrivingSoon, unwatched }
}

type Status = DevicesByStatus['byStatus'][number]['status']

export async function devicesByStatus(ctx: Viewer, chosen: Omit<ShipmentSelection, 'sort'>): Promise<DevicesByStatus> {
  const rows = await devicesOf(ctx, chosen)
  const all = await countDevices(ctx, chosen)
  return {
    total: rows.length,
    hidden: all - rows.length,
    byStatus: [...Map.groupBy(rows, ({ status }) => status)].map(([status, devices]) => ({
      ...{ status: status as Status, count: devices.length },
      devices: devices.map(({ id, name, shipments }) => ({
        ...{ id: String(id), name },
        shipments: shipments.map((one) => ({ id: one.id, number: showShipmentNumber(one.number) })),
      })),
    })),
  }
}

export async function mapOfShipments(ctx: Viewer) {
  const { rows, total } = await mapRows(ctx)
  const outside = await sidesOutside(ctx)
  return { shipments: rows.map((row) => presentMark(row, outside.get(row.id) ?? null)), total }
}

const presentMark = (row: MapRow, outside: MapShipment['outside']): MapShipment => ({
  outside,
  ...{ id: row.id, number: showShipmentNumber(row.number), product: row.product },
  ...{ originName: endOf(row.origin).name, destinationName: endOf(row.destination).name, isLate: row.is_late },
  ...{ eta: row.eta?.toISOString() ?? null, etaZone: row.eta_zone },
  position:
    row.lat === null || row.lon === null || row.at === null
      ? null
      : {
          ...{ lat: row.lat, lon: row.lon, at: row.at.toISOString(), deviceId: String(row.device_id) },
          temperatureC: row.temperature_centi === null ? null : row.temperature_centi / 100,
        },
})
