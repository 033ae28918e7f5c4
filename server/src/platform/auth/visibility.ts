import { limits } from '@isotherm/contract/limits.ts'
import type { Role } from '@isotherm/contract/permissions.ts'

/** Private things are for Admins; to anybody else they do not exist. */
export const seesPrivate = (person: { role: Role }): boolean => person.role === 'admin'

/** From when on a device's readings are hidden until its licence is renewed; null without an end. */
export const hiddenFrom = (licenceUntil: Date | null): Date | null =>
  licenceUntil && new Date(licenceUntil.getTime() + limits.hiddenAfterLicenceDays * 86_400_000)
