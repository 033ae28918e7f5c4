import { z } from 'zod'
import { get } from './call.ts'
import { Id, Instant, openPeriodWith } from './common.ts'
import { Paging, pageOf } from './paging.ts'

export const auditFeatures = [
  'auth',
  'company',
  'users',
  'devices',
  'geofences',
  'pointsOfInterest',
  'alarms',
  'notifications',
  'wallet',
] as const
export const AuditFeature = z.enum(auditFeatures)

const Facts = z.record(z.string(), z.unknown()).nullable()

/** Who did what, when and from where; `title` is in the caller's language, `before` and `after` as they were recorded. */
export const AuditLine = z.object({
  /** Its place in the company's trail, counted from 1. */
  id: Id,
  at: Instant,
  who: z.string().nullable(),
  action: z.string(),
  title: z.string(),
  target: z.object({ kind: z.string(), id: z.string(), name: z.string() }).nullable(),
  before: Facts,
  after: Facts,
  reason: z.string().nullable(),
  address: z.string(),
  agent: z.string(),
})
export type AuditLine = z.infer<typeof AuditLine>

export const AuditQuery = openPeriodWith({
  page: Paging.shape.page,
  perPage: Paging.shape.perPage,
  search: Paging.shape.search,
  feature: AuditFeature.optional(),
})
export type AuditQuery = z.infer<typeof AuditQuery>

/** `brokenAt`: the first entry that is missing, moved, added or changed; null where the trail is whole. */
export const AuditVerdict = z.object({ whole: z.boolean(), entries: z.number().int(), brokenAt: Id.nullable() })
export type AuditVerdict = z.infer<typeof AuditVerdict>

const whoSees = 'An Admin sees all, others what concerns features they may view'
export const audit = {
  list: get('/audit-log', {
    needs: 'session',
    summary: `The audit trail, newest first. ${whoSees}`,
    query: AuditQuery,
    returns: pageOf(AuditLine),
  }),
  search: get('/audit-log/search', {
    needs: 'session',
    summary: `The entries that contain a text. ${whoSees}`,
    query: AuditQuery,
    returns: pageOf(AuditLine),
  }),
  verify: get('/audit-log/verify', {
    needs: 'admin',
    summary: 'Recomputes the trail from its first entry',
    returns: AuditVerdict,
  }),
}
