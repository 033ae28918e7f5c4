import type { ShipmentSelection } from '@isotherm/contract/shipment-calls.ts'
import { type FurtherProduct, namesOfProducts } from '@isotherm/contract/shipment-products.ts'
import type { Shipment } from '@isotherm/contract/shipments.ts'
import type { Context } from '../../platform/context.ts'
import { listCsv } from '../../platform/http/list-csv.ts'
import { listShipments } from './read-shipments.ts'

/** So many are read at once. */
const batch = 500

const columns = [
  ...['number', 'reference', 'state', 'late', 'logistics', 'product', 'pallets', 'origin', 'destination', 'country'],
  ...['mode', 'vessel', 'flight', 'container', 'awb', 'loading_on', 'departure_on', 'etd_utc', 'eta_utc', 'eta_zone'],
  ...['devices', 'verdict', 'created_utc', 'started_utc', 'ended_utc', 'cancelled_utc'],
  ...['tracking_number', 'hs_code', 'gtin', 'region', 'person_of_contact', 'carrier'],
  ...['quantity', 'quantity_unit', 'further_products', 'origin_country', 'destination_country'],
]

/** shipments.csv: a line per shipment that the selection leaves. */
export async function shipmentsCsv(ctx: Context, selection: ShipmentSelection) {
  const lines: unknown[][] = []
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { data, meta } = await listShipments(ctx, { ...selection, page, perPage: batch })
    lines.push(...data.map(lineOf))
    pages = meta.pageCount
  }
  ctx.audit({ action: 'shipments.exported', after: { count: lines.length } })
  return listCsv('shipments.csv', columns, lines)
}

const lineOf = (one: Shipment) => [
  ...[one.number, one.reference, one.state, one.isLate, one.logistics, one.product, one.pallets, one.originName],
  ...[one.destinationName, one.country, one.mode, one.vesselName, one.flightNumber, one.containerNo, one.awb],
  ...[one.loadingOn, one.departureOn, one.etd, one.eta, one.etaZone, one.deviceCount, one.verdict],
  ...[one.createdAt, one.startedAt, one.endedAt, one.cancelledAt],
  ...[one.trackingNumber, one.hsCode, one.gtin, one.region, one.personOfContact, one.carrierName],
  ...[one.quantity, one.quantityUnit, one.furtherProducts.map(productText).join('; ')],
  ...[one.originCountry, one.destinationCountry],
]

/** "Lemons, Eureka (HS 080550, GTIN 06001234500018, 1200 carton)" */
function productText(one: FurtherProduct): string {
  const { hsCode, gtin, quantity, quantityUnit } = one
  const facts = [hsCode && `HS ${hsCode}`, gtin && `GTIN ${gtin}`, quantity !== null && `${quantity} ${quantityUnit}`]
  const said = facts.filter(Boolean).join(', ')
  return [namesOfProducts([one]), said && `(${said})`].filter(Boolean).join(' ')
}
