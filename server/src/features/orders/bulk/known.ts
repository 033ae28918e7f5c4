import { plateKey } from '@isotherm/contract/vehicles.ts'
import { lowerCase } from '../../../platform/db/lower-case.ts'
import { countryAmong } from '../../../platform/gazetteer/nearest-town.ts'
import type { NamedCarrier, NamedContact, OnHardware } from '../check-queries.ts'
import type { OrderFacts } from '../draft-facts.ts'
import type { BulkOrderFacts } from './bulk-facts.ts'

/** The things that a file names, as its lines look them up. */
export interface Known {
  order: OrderFacts
  currency: string | null
  contacts(name: string): readonly NamedContact[]
  drivers(name: string): readonly NamedCarrier[]
  vehicles(name: string): readonly NamedCarrier[]
  devices(imei: string): readonly OnHardware[]
}

/** Names as they are looked up. */
export const small = (name: string): string => lowerCase(name.trim())

/** By each of their names. */
function byNames<T>(all: readonly T[], namesOf: (one: T) => readonly (string | null)[]) {
  const named = all.flatMap((one) =>
    [...new Set(namesOf(one).flatMap((name) => name ?? []))].map((name) => ({ name, one })),
  )
  const groups = Map.groupBy(named, ({ name }) => name)
  return (name: string): readonly T[] => (groups.get(name) ?? []).map(({ one }) => one)
}

const byId = <T extends { id: string }>(all: readonly T[]): ReadonlyMap<string, T> =>
  new Map(all.map((one) => [one.id, one]))

/** The facts of a file, in the order in which its lines ask for them. */
export function knownOf(facts: BulkOrderFacts): Known {
  const contacts = byNames(facts.contacts, ({ name, company, email }) =>
    [name, company, email].map((one) => one && small(one)),
  )
  const drivers = byNames(facts.drivers, ({ name, email }) => [name, email].map((one) => one && small(one)))
  const vehicles = byNames(facts.vehicles, ({ name, plate }) => [small(name), plate && plateKey(plate)])
  return {
    currency: facts.currency,
    contacts: (name) => contacts(small(name)),
    drivers: (name) => drivers(small(name)),
    vehicles(name) {
      const byPlate = vehicles(plateKey(name))
      return byPlate.length > 0 ? byPlate : vehicles(small(name))
    },
    devices: byNames(facts.onHardware, ({ imei }) => [imei]),
    order: {
      ...facts.company,
      contacts: new Set(facts.contacts.map(({ id }) => id)),
      devices: new Map(facts.devices.map((device) => [String(device.id), device])),
      ...{ drivers: byId(facts.drivers), vehicles: byId(facts.vehicles) },
      countryAt: countryAmong(facts.towns),
    },
  }
}
