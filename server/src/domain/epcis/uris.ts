import type { ShipmentEnd } from '@isotherm/contract/shipments.ts'
import { gln as glnOf, gtin as gtinOf, imoNumber, sscc as ssccOf } from '../identifiers.ts'
import type { Naming, Shipped, ShippedEvent, ShippedLeg, ShippedProduct } from './shipped.ts'

const gs1 = 'https://id.gs1.org'
/** The signs with which GS1 writes a lot, at most 20 of them. */
const lotShape = /^[!"%-?A-Z_a-z]{1,20}$/
/** A lot as GS1 writes it within an address: of the signs that encodeURIComponent leaves, these have a number as well. */
const writtenLot = (lot: string) =>
  encodeURIComponent(lot).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
const geo = ({ lat, lon }: { lat: number; lon: number }) => `geo:${lat.toFixed(4)},${lon.toFixed(4)}`

/** The names by which a document speaks of things: those of GS1 where the company is a member, else addresses of ours. */
export function urisOf({ publicUrl, gs1Prefix, gln, portGlns, companyId }: Naming) {
  const own = (kind: string, ...names: string[]) => [publicUrl, 'id', kind, ...names.map(encodeURIComponent)].join('/')
  /** The number of a place is one of GS1 whoever ships: its owner got it there. Without one: null. */
  const numbered = (number: string | null | undefined) =>
    number && 'value' in glnOf(number) ? `${gs1}/414/${number}` : null
  const port = (code: string) => numbered(portGlns.get(code)) ?? own(code.length === 3 ? 'iata' : 'unlocode', code)
  const place = (end: ShipmentEnd) =>
    numbered(end.gln) ??
    (end.lat !== null && end.lon !== null ? geo({ lat: end.lat, lon: end.lon }) : own('place', end.id))
  const uris = {
    own,
    place,
    company: gs1Prefix && gln ? `${gs1}/417/${gln}` : own('company', String(companyId)),
    // A number whose check digit somebody overrode is no number of GS1, BIC or IMO.
    pallet: (sscc: string) => (gs1Prefix && 'value' in ssccOf(sscc) ? `${gs1}/00/${sscc}` : own('pallet', sscc)),
    device: (id: number) => own('device', String(id)),
    shipment: ({ id }: Pick<Shipped, 'id'>) => own('shipment', id),
    /** The goods as a class. The number of a trade item is one of GS1 whoever ships it: with its lot, where GS1 can write that. */
    goods({ id, lot, products }: Pick<Shipped, 'id' | 'lot' | 'products'>, { product, gtin }: ShippedProduct): string {
      const isOnly = products.length === 1
      if (!gtin) return own('shipment', id, ...(isOnly ? [] : ['product', product]), 'lot', lot ?? 'all')
      if (!('value' in gtinOf(gtin))) return own('gtin', gtin, 'lot', lot ?? 'all')
      return [gs1, '01', gtin, ...(lot && lotShape.test(lot) ? ['10', writtenLot(lot)] : [])].join('/')
    },
    container: ({ containerNo, containerUnchecked }: ShippedLeg): string | null => {
      if (!containerNo) return null
      return containerUnchecked ? own('container', containerNo) : `urn:epc:id:bic:${containerNo}`
    },
    vessel: ({ imo }: ShippedLeg): string | null =>
      imo && 'value' in imoNumber(imo) ? `urn:epc:id:imovn:${imo}` : null,
    awb: ({ id }: Pick<Shipped, 'id'>, awb: string) => own('shipment', id, 'awb', awb),
    /** Where something happened: by the number of the place, else its position, else its port, else the end of the leg or of the shipment. */
    readPoint({ lat, lon, portCode }: Pick<ShippedEvent, 'lat' | 'lon' | 'portCode'>, otherwise: string): string {
      const named = portCode ? port(portCode) : otherwise
      if (lat === null || lon === null || named.startsWith(gs1)) return named
      return geo({ lat, lon })
    },
    end: (code: string | null, end: ShipmentEnd): string => (code ? port(code) : place(end)),
  }
  return uris
}
export type Uris = ReturnType<typeof urisOf>
