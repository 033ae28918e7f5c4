import type { Clock } from '../clock/clock.ts'
import type { InsurerConfig } from '../config/insurers.ts'
import { httpInsurer } from './http-insurer.ts'
import type { Insurer } from './insurer.ts'
import { offlineInsurer } from './offline-insurer.ts'

/** The insurer that is configured; null: nobody is asked, and certificates are uploaded. */
export function insurerOf({ account, offlineDelayMs }: InsurerConfig, clock: Clock): Insurer | null {
  if (account) return httpInsurer(account)
  return offlineDelayMs === null ? null : offlineInsurer(clock, offlineDelayMs)
}
