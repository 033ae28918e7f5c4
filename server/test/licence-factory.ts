import { settleSubscription } from '../src/core/company/settle-subscription.ts'
import { insertLicence } from '../src/core/devices/licence-queries.ts'
import { inCompany } from './factories.ts'
import type { TestApp } from './harness.ts'

export interface LicenceSpec {
  source?: 'trial' | 'subscription'
  devices?: number
  users?: number | null
  emails?: number | null
  phones?: number | null
  retentionMonths?: number | null
  days?: number
}

/** A licence without a key that runs from now on, as of a subscription, which is the default, or a trial. Default: for one device and 30 days, without other limits. */
export const aLicence = (test: TestApp, companyId: number, given: LicenceSpec = {}) =>
  inCompany(test, companyId, async (ctx) => {
    const {
      source = 'subscription',
      devices = 1,
      users = null,
      emails = null,
      phones = null,
      retentionMonths = null,
      days = 30,
    } = given
    const now = test.clock.now()
    const expiresAt = new Date(now.getTime() + days * 86_400_000)
    const numbers = { devices, users, emails, phones, retention_months: retentionMonths }
    const licence = { source, hint: '', ...numbers, starts_at: now, expires_at: expiresAt }
    const made = await insertLicence(ctx, licence)
    await settleSubscription({ ...ctx, services: test.services })
    return made
  })
