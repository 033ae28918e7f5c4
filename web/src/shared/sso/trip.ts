import type { SsoStart } from '@isotherm/contract/sso.ts'

// A trip to the company's issuer and back. The secret stays in this tab: the issuer's answer counts together with it only.

export interface Trip {
  use: 'login' | 'test' | 'proof'
  browserSecret: string
  state: string
  /** Where to go on afterwards. */
  to: string
}

const storageKey = 'isotherm.sso'

/** Leaves for the issuer; false where there is no way to it. */
export function leaveFor({ url, browserSecret }: SsoStart, { use, to }: Pick<Trip, 'use' | 'to'>): boolean {
  if (url === null || browserSecret === null) return false
  const target = new URL(url)
  if (target.protocol !== 'https:' && target.protocol !== 'http:') return false
  const trip: Trip = { use, browserSecret, to, state: target.searchParams.get('state') ?? '' }
  sessionStorage.setItem(storageKey, JSON.stringify(trip))
  location.assign(target.href)
  return true
}

/** The trip that this answer ends, once; null: it was begun elsewhere, or is over. */
export function takeTrip(state: string): Trip | null {
  const kept = sessionStorage.getItem(storageKey)
  if (kept === null) return null
  const trip = JSON.parse(kept) as Trip
  if (trip.state !== state) return null
  sessionStorage.removeItem(storageKey)
  return trip
}
