import { foldName } from '../../../platform/gazetteer/fold-name.ts'
import type { NamedContact } from '../check-queries.ts'

/** A sender or a receiver as their cells say it. */
export interface TypedParty {
  name: string | undefined
  company?: string | undefined
  email: string | undefined
  phone: string | undefined
  address: string | undefined
  lat: number | undefined
  lon: number | undefined
}

/** A party as an order takes it; what was left out is the contact's. */
export function partyOf(typed: TypedParty, contact: NamedContact | undefined) {
  return {
    contactId: contact?.id ?? null,
    name: contact?.name ?? typed.name,
    company: typed.company ?? contact?.company ?? null,
    email: typed.email ?? contact?.email ?? null,
    phone: typed.phone ?? contact?.phone ?? null,
  }
}

/** The stop of a party; `isPlaced`: its position is known. That of the contact holds where the address is the contact's, or left out. */
export function stopOf({ address, lat, lon }: TypedParty, contact: NamedContact | undefined) {
  if (lat !== undefined || lon !== undefined)
    return { isPlaced: true, stop: { address: address ?? contact?.address ?? undefined, lat, lon } }
  const isTheirs = address === undefined || foldName(address) === foldName(contact?.address ?? '')
  if (!contact || contact.lat === null || contact.lon === null || !isTheirs)
    return { isPlaced: false, stop: { address: address ?? contact?.address ?? undefined } }
  const country = contact.country ?? undefined
  return {
    isPlaced: true,
    stop: {
      ...{ address: address ?? contact.address ?? contact.name, lat: contact.lat, lon: contact.lon },
      ...(country && { country }),
    },
  }
}
