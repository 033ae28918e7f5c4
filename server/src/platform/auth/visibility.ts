import { limits } from '@isotherm/contract/limits.ts'
import type { Role } from '@isotherm/contract/permissions.ts'
import { type RawBuilder, sql } from 'kysely'

/** Private things are for Admins; to anybody else they do not exist. */
export const seesPrivate = (person: { role: Role }): boolean => person.role === 'admin'

/**
 * Whether a person, a row of `users`, vouches for the addresses they named: those hear of private things while they do. Plain text,
 * for statements that are no kysely queries, too.
 */
export const vouches = (user: string): string =>
  `${user}.role = 'admin' and ${user}.status = 'active' and ${user}.archived_at is null`
export const vouchesSql = (user: string): RawBuilder<boolean> => sql.raw<boolean>(vouches(user))

/** From when on a device's readings are hidden until its licence is renewed; null without an end. */
export const hiddenFrom = (licenceUntil: Date | null): Date | null =>
  licenceUntil && new Date(licenceUntil.getTime() + limits.hiddenAfterLicenceDays * 86_400_000)
