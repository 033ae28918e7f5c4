import type { QuantityUnit } from '@isotherm/contract/shipment-products.ts'
import { conditionEvents, verdictEvents } from './conditions.ts'
import { deviceEvents, readyAt } from './device-events.ts'
import { type EpcisEvent, identified, milestoneEvents, type Telling, tellingOf, timeOf } from './events.ts'
import type { Naming, Shipped, ShippedProduct } from './shipped.ts'

export interface EpcisDocument {
  '@context': [string, Record<string, string>]
  id: string
  type: 'EPCISDocument'
  schemaVersion: '2.0'
  creationDate: string
  epcisBody: { eventList: EpcisEvent[] }
  /** How many devices of the shipment are left out, because the reader may not see them. */
  'iso:hiddenDevices': number
}

/** Units of UN/CEFACT; what is counted has none. */
const unitCodes: Partial<Record<QuantityUnit, string>> = { kg: 'KGM', t: 'TNE', l: 'LTR' }

function quantityOf({ quantity, quantityUnit }: ShippedProduct) {
  if (quantity === null || quantityUnit === null) return {}
  const uom = unitCodes[quantityUnit]
  return { quantity, ...(uom && { uom }) }
}

/** A product of which no more than the name is known is no class of goods. */
const isClass = ({ gtin, quantity }: ShippedProduct): boolean => gtin !== null || quantity !== null

/** Pallets are made and packed at the origin, before any device is put in and before the goods are stuffed. */
function originEvents(telling: Telling): EpcisEvent[] {
  const { shipped, uris } = telling
  const { origin, products, pallets } = shipped
  const at = readyAt(shipped)
  if (!at) return []
  const when = timeOf(at, origin.timezone)
  const readPoint = { readPoint: { id: uris.place(origin) } }
  const packed = (parentID: string, name: string[], product: ShippedProduct, isAll: boolean): EpcisEvent =>
    identified(telling, ['packing', ...name], {
      ...{ type: 'AggregationEvent', ...when, parentID },
      // How many pieces there are on one pallet nobody says.
      childQuantityList: [{ epcClass: uris.goods(shipped, product), ...(isAll && quantityOf(product)) }],
      ...{ action: 'ADD', bizStep: 'packing', disposition: 'in_progress', ...readPoint },
      'iso:product': product.product,
      ...(product.gtin && shipped.lot && { 'iso:lot': shipped.lot }),
    })
  const ofShipment = uris.shipment(shipped)
  return [
    ...pallets.flatMap((sscc): EpcisEvent[] => [
      identified(telling, ['commissioning', sscc], {
        ...{ type: 'ObjectEvent', ...when, epcList: [uris.pallet(sscc)] },
        ...{ action: 'ADD', bizStep: 'commissioning', disposition: 'active', ...readPoint },
      }),
      // Which of several products is on a pallet nobody says.
      ...(products.length === 1 ? [packed(uris.pallet(sscc), [sscc], products[0], false)] : []),
    ]),
    // Several products, and one without numbered pallets, are told as what the whole shipment is made of.
    ...(products.length > 1 || (pallets.length === 0 && isClass(products[0]))
      ? products.map((product, index) =>
          packed(ofShipment, ['shipment', ...(index === 0 ? [] : [String(index + 1)])], product, true),
        )
      : []),
  ]
}

/** The events of the rows of a shipment. One that was corrected stays, and says so. */
function toldEvents(telling: Telling): EpcisEvent[] {
  const { events } = telling.shipped
  return events.flatMap((event) => {
    const told = milestoneEvents(telling, event)
    const correction = events.find(({ corrects }) => corrects === event.id)
    if (!correction) return told
    const correctiveEventIDs = milestoneEvents(telling, correction).map(({ eventID }) => eventID)
    const errorDeclaration = {
      declarationTime: correction.recordedAt.toISOString(),
      reason: correctiveEventIDs.length > 0 ? 'incorrect_data' : 'did_not_occur',
      ...(correctiveEventIDs.length > 0 ? { correctiveEventIDs } : {}),
    }
    return told.map((one) => ({ ...one, errorDeclaration }))
  })
}

const byTime = (a: EpcisEvent, b: EpcisEvent) => (a.eventTime < b.eventTime ? -1 : a.eventTime > b.eventTime ? 1 : 0)

/**
 * The whole of a shipment as a document of EPCIS 2.0 (JSON-LD). The same rows make the same bytes: it is dated by `changedAt`, the last change of
 * what it tells.
 */
export function epcisOf(naming: Naming, shipped: Shipped, changedAt: Date): EpcisDocument {
  const telling = tellingOf(naming, shipped)
  const eventList = [
    ...originEvents(telling),
    ...deviceEvents(telling),
    ...toldEvents(telling),
    ...conditionEvents(telling),
    ...verdictEvents(telling),
  ].sort(byTime)
  return {
    '@context': [
      'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld',
      { iso: `${naming.publicUrl}/ns/epcis/` },
    ],
    id: telling.uris.own('shipment', shipped.id, 'epcis'),
    ...{ type: 'EPCISDocument', schemaVersion: '2.0', creationDate: changedAt.toISOString() },
    epcisBody: { eventList },
    'iso:hiddenDevices': shipped.hiddenDevices,
  }
}
