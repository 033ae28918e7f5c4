import { limits } from '@isotherm/contract/limits.ts'
import type { Role } from '@isotherm/contract/permissions.ts'
import { type RawBuilder, sql } from 'kysely'

/** Decides who sees private things: a person's role, or what an Admin said of a key. */
type Looking = { role: Role; key?: { seesPrivate: boolean } }

/** Admins see private things, and keys that an Admin lets; to anybody else they do not exist. */
export const seesPrivate = ({ role, key }: Looking): boolean => (key ? key.seesPrivate : role === 'admin')

/** Whether a person sees a thing that is private or public. */
export const maySee = (person: Looking, { visibility }: { visibility: string }): boolean =>
  visibility === 'public' || seesPrivate(person)

/**
 * Whether a person, a row of `users`, vouches for the addresses they named: those hear of private things while they do. Plain text,
 * for statements that are no kysely queries, too.
 */
export const vouches = (user: string): string =>
  `${user}.role = 'admin' and ${user}.status = 'active' and ${user}.archived_at is null`
export const vouchesSql = (user: string): RawBuilder<boolean> => sql.raw<boolean>(vouches(user))

/** The instant from which a device's readings are hidden until its licence is renewed; null if the licence has no end. */
export const hiddenFrom = (licenceUntil: Date | null): Date | null =>
  licenceUntil && new Date(licenceUntil.getTime() + limits.hiddenAfterLicenceDays * 86_400_000)

/** The instant after which a licence must have ended for its devices' present readings to be shown. */
export const shownIfEndedAfter = (now: Date): Date =>
  new Date(now.getTime() - limits.hiddenAfterLicenceDays * 86_400_000)

/** `hiddenFrom` in SQL, as plain text over the alias of a device. */
export const hiddenFromText = (device: string): string =>
  `(${device}.licence_until + interval '${limits.hiddenAfterLicenceDays * 24} hours')`
export const hiddenFromSql = (device: string): RawBuilder<Date | null> => sql.raw(hiddenFromText(device))

/** Whether the device's licence still shows what was measured at the instant in a column, as a condition. */
export const isShownText = (device: string, column: string): string =>
  `(${device}.licence_until is null or ${column} < ${hiddenFromText(device)})`
export const isShownSql = (device: string, column: string): RawBuilder<boolean> => sql.raw(isShownText(device, column))
