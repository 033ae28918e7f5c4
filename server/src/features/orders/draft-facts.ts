import type { CompanyRow } from '../../core/company/company.ts'
import type { KeptSettings } from '../../core/orders/dispatch-settings.ts'
import type { CarriedDevice, CarrierRow } from './check-queries.ts'

/** The facts that new orders are judged by: of one, or of all of a file. By their ids, those that are not deleted and that the person sees. */
export interface OrderFacts {
  now: Date
  company: Pick<CompanyRow, 'country' | 'timezone'>
  settings: KeptSettings
  isPhoneStrict: boolean
  seesPrivate: boolean
  contacts: ReadonlySet<string>
  devices: ReadonlyMap<string, CarriedDevice>
  drivers: ReadonlyMap<string, CarrierRow>
  vehicles: ReadonlyMap<string, CarrierRow>
  /** The country of a position, as far as it is known. */
  countryAt(lat: number, lon: number): string | null
}
