import { namesOfProducts } from '@isotherm/contract/shipment-products.ts'
import { ShipmentPartner } from '@isotherm/contract/shipments.ts'
import { endOf } from '../../core/shipments/ends.ts'
import type { LegDraft } from '../../core/shipments/insert-queries.ts'
import { furtherProductsOf } from '../../core/shipments/products.ts'
import type { ShipmentRow } from '../../core/shipments/shipment-queries.ts'

/** The facts of a shipment that its trail keeps; numbers that stand though their check digit is wrong are among them. */
export const auditSnapshot = (shipment: ShipmentRow, legs: readonly LegDraft[]) => ({
  ...{ reference: shipment.reference, product: shipment.product, logistics: shipment.logistics },
  gtin: shipment.gtin,
  ...furtherFacts(shipment),
  ...{ origin: endOf(shipment.origin).name, destination: endOf(shipment.destination).name },
  partner: shipment.partner === null ? null : ShipmentPartner.parse(shipment.partner).companyName,
  containers: legs.flatMap(({ container_no }) => container_no ?? []),
  waybills: legs.flatMap(({ awb }) => awb ?? []),
  unchecked: [
    ...(shipment.gtin_unchecked && shipment.gtin ? [shipment.gtin] : []),
    ...furtherProductsOf(shipment.further_products).flatMap(({ gtinUnchecked, gtin }) =>
      gtinUnchecked && gtin ? [gtin] : [],
    ),
    ...legs.flatMap(({ container_unchecked, container_no, awb_unchecked, awb, imo_unchecked, imo }) => [
      ...(container_unchecked && container_no ? [container_no] : []),
      ...(awb_unchecked && awb ? [awb] : []),
      ...(imo_unchecked && imo ? [imo] : []),
    ]),
  ],
})

function furtherFacts({ further_products }: ShipmentRow) {
  const further = furtherProductsOf(further_products)
  if (further.length === 0) return {}
  return { furtherProducts: namesOfProducts(further), furtherGtins: further.flatMap(({ gtin }) => gtin ?? []) }
}
