import type { TownCountries } from '../../../platform/gazetteer/nearest-town.ts'
import type { CarriedDevice, NamedCarrier, NamedContact, OnHardware } from '../check-queries.ts'
import type { companyFacts } from '../order-facts.ts'

/** All that a file names, to be looked up: names in small letters, plates by their letters and digits. */
export interface OrderAsk {
  /** How many orders it has. */
  orders: number
  contacts: string[]
  drivers: string[]
  vehicles: string[]
  plates: string[]
  imeis: string[]
}

export interface BulkOrderFacts {
  company: Awaited<ReturnType<typeof companyFacts>>
  currency: string | null
  contacts: NamedContact[]
  drivers: NamedCarrier[]
  vehicles: NamedCarrier[]
  devices: CarriedDevice[]
  onHardware: OnHardware[]
  /** Null: the towns could not be read. */
  towns: TownCountries | null
}
