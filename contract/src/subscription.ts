import { z } from 'zod'
import { get, post } from './call.ts'
import { Id, Instant, text } from './common.ts'
import { Paging, pageOf } from './paging.ts'

/** A licence comes from a key, is the trial of a new company, or is what a subscription pays for. */
export const LicenceSource = z.enum(['key', 'trial', 'subscription'])

/**
 * The right for some devices until an instant. In stock it has not begun: it does so with its first device, or at `startsAt`, and
 * `expiresAt` is when it then ends. `hint` is the end of its key.
 */
export const Licence = z.object({
  id: Id,
  hint: z.string().nullable(),
  source: LicenceSource,
  plan: z.object({ id: Id, name: z.string() }).nullable(),
  devices: z.object({ used: z.number().int(), of: z.number().int() }),
  startsAt: Instant,
  expiresAt: Instant,
  state: z.enum(['stock', 'running', 'over']),
})
export type Licence = z.infer<typeof Licence>

/** How much of something a company has, and how much its licences allow; null: no limit. */
export const PlanUse = z.object({ used: z.number().int(), limit: z.number().int().nullable() })
export type PlanUse = z.infer<typeof PlanUse>

export const planMeasures = ['devices', 'users', 'emails', 'phones'] as const
export type PlanMeasure = (typeof planMeasures)[number]

/** `open`: nothing is sold here, and so nothing ends. */
export const EntitlementState = z.enum(['open', 'trial', 'running', 'expired'])

export const Entitlement = z.object({
  state: EntitlementState,
  /** The end of what runs, or ran; null where nothing ends. */
  until: Instant.nullable(),
  /** A card is charged for what ends last. */
  renews: z.boolean(),
  /** The operator holds back all that is charged by itself; nothing stops meanwhile. */
  isPaused: z.boolean(),
  /** Names of Admins: whom others ask to renew. */
  admins: z.array(z.string()),
  /** The operator's address for questions; null where they gave none. */
  supportEmail: z.string().nullable(),
  /** For who may see payments; null for others. */
  use: z
    .object({
      devices: PlanUse,
      users: PlanUse,
      /** Distinct addresses that alarms, escalations, rotas and scheduled reports send to. */
      emails: PlanUse,
      /** The same of numbers, by SMS and chat. */
      phones: PlanUse,
      /** For so many months readings are kept at least; null: no plan says. */
      retentionMonths: z.number().int().nullable(),
      /** Readings older than `months` are deleted, from `at` on: then those from before `from`. Null: nothing is, and nothing is announced. */
      deletion: z.object({ months: z.number().int(), at: Instant, from: Instant, isAnnounced: z.boolean() }).nullable(),
    })
    .nullable(),
})
export type Entitlement = z.infer<typeof Entitlement>

export const subscription = {
  entitlement: get('/enterprise/entitlement', {
    needs: 'session',
    takesApiKey: true,
    summary: 'Until when the company may begin new things, what its licences allow and what it has of it',
    returns: Entitlement,
  }),
  licences: get('/enterprise/fetchActiveLicense', {
    needs: 'payments.view',
    summary: 'The licences that are not over, those in stock included, paged',
    query: Paging.omit({ search: true }),
    returns: pageOf(Licence),
  }),
  addLicence: post('/enterprise/addLicense', {
    needs: 'payments.addOrEdit',
    limit: 'licence',
    summary: 'Takes a licence key into the stock of the company; it begins with its first device',
    body: z.strictObject({ licenceKey: text(60) }),
    returns: Licence,
    auditOptional: true,
  }),
}
