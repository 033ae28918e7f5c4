import type { CompanyRow } from '../../core/company/company.ts'
import type { KeptSettings } from '../../core/orders/dispatch-settings.ts'
import type { CarriedDevice, CarrierRow } from './check-queries.ts'

/** The money of an order that is there: it keeps its currency, whatever the company's is by now. */
export interface OwnMoney {
  currency: string
  cardFee: number
}

/** The facts that new orders are judged by: of one, or of all of a file. By their ids, those that are not deleted and that the person sees. */
export interface OrderFacts {
  now: Date
  company: Pick<CompanyRow, 'country' | 'timezone'>
  settings: KeptSettings
  /** The currency of the order that changes, and its fee by the rate card of then; null of a new order. */
  ownMoney?: OwnMoney | null
  isPhoneStrict: boolean
  seesPrivate: boolean
  contacts: ReadonlySet<string>
  devices: ReadonlyMap<string, CarriedDevice>
  drivers: ReadonlyMap<string, CarrierRow>
  vehicles: ReadonlyMap<string, CarrierRow>
  /** The country of a position, as far as it is known. */
  countryAt(lat: number, lon: number): string | null
}
