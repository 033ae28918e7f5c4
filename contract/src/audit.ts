import { z } from 'zod'
import { WebhookUrl } from './alarm-recipients.ts'
import { file, get, post, put } from './call.ts'
import { Id, Instant, openPeriodWith } from './common.ts'
import { countedPageOf, Paging } from './paging.ts'

export const auditFeatures = [
  'auth',
  'sso',
  'audit',
  'company',
  'users',
  'devices',
  'groups',
  'records',
  'reports',
  'geofences',
  'pointsOfInterest',
  'alarms',
  'notifications',
  'wallet',
  'billing',
  'subscription',
  'support',
  'shareLinks',
  'savedViews',
  'insurances',
  'coldTreatments',
  'claims',
  'orders',
  'contacts',
  'drivers',
  'vehicles',
  'partners',
  'origins',
  'destinations',
  'exportSettings',
  'calibrations',
  'epcis',
  'shipmentLinks',
  'shipments',
  'webhooks',
  'developer',
] as const
export const AuditFeature = z.enum(auditFeatures)

const Facts = z.record(z.string(), z.unknown()).nullable()

/** An entry of the audit trail: author, act, time and origin; `title` is in the caller's language, `before` and `after` as they were recorded. */
export const AuditLine = z.object({
  /** Its place in the company's trail, counted from 1. */
  id: Id,
  at: Instant,
  who: z.string().nullable(),
  action: z.string(),
  title: z.string(),
  target: z.object({ kind: z.string(), id: z.string(), name: z.string() }).nullable(),
  /** The target with its kind, in the caller's language. */
  about: z.string().nullable(),
  before: Facts,
  after: Facts,
  /** `before` and `after` fact by fact, in words: names, values with units, times in the caller's zone; null is no value. */
  changes: z.array(z.object({ name: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
  reason: z.string().nullable(),
  address: z.string(),
  agent: z.string(),
})
export type AuditLine = z.infer<typeof AuditLine>

const filters = { search: Paging.shape.search, feature: AuditFeature.optional() }
export const AuditQuery = openPeriodWith({ page: Paging.shape.page, perPage: Paging.shape.perPage, ...filters })
export const AuditFilter = openPeriodWith(filters)
export type AuditFilter = z.infer<typeof AuditFilter>
export type AuditQuery = z.infer<typeof AuditQuery>

export const auditFaults = [
  'edited',
  'missing',
  'inserted',
  'reordered',
  'tailCut',
  'rehashed',
  'endMark',
  'checkpointForged',
  'checkpointMissing',
  'keyUnknown',
] as const
/**
 * How a trail is broken. `rehashed`: every entry follows from the one before, but not from what a checkpoint swore to;
 * `endMark`: the mark of its end is lost or altered; the last three are about the checkpoints themselves.
 */
export const AuditFault = z.enum(auditFaults)
export type AuditFault = z.infer<typeof AuditFault>

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`))
const base64url = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/)

/**
 * The installation's signed statement about a trail: its first `count` entries end with number `seq`, whose hash is `hash`. `signature` is
 * Ed25519 over the text that docs/adr/0013 gives.
 */
export const Checkpoint = z.strictObject({
  company: Id,
  number: z.number().int().min(1),
  seq: Id,
  hash: hex(32),
  count: z.number().int().min(1),
  at: Instant,
  keyId: hex(8),
  signature: base64url(100),
})
export type Checkpoint = z.infer<typeof Checkpoint>

/** A public key of the installation; all but the first are vouched for by the key before. */
export const AuditKey = z.strictObject({
  id: hex(8),
  publicKey: base64url(60),
  from: Instant,
  signedBy: hex(8).nullable(),
  signature: base64url(100).nullable(),
})

/** The file that is kept outside: who has it can tell whether the trail was cut or written anew, whoever owns the database. */
export const CheckpointFile = z.strictObject({
  format: z.literal('isotherm-audit-checkpoints-1'),
  company: z.strictObject({ id: Id, name: z.string().max(200) }),
  keys: z.array(AuditKey).max(1_000),
  checkpoints: z.array(Checkpoint).min(1).max(20_000),
})
export type CheckpointFile = z.infer<typeof CheckpointFile>

/**
 * `brokenAt` to `brokenTo`: the entries that are missing, moved, added or changed; null where the trail is whole. `words` say it in
 * the caller's language. `signedTo`: the last entry a checkpoint vouches for.
 */
export const AuditVerdict = z.object({
  whole: z.boolean(),
  entries: z.number().int(),
  fault: AuditFault.nullable(),
  brokenAt: Id.nullable(),
  brokenTo: Id.nullable(),
  words: z.string(),
  checkpoints: z.number().int(),
  signedTo: Id.nullable(),
  signedAt: Instant.nullable(),
})
export type AuditVerdict = z.infer<typeof AuditVerdict>

export const AuditSettings = z.object({
  webhookUrl: z.string().nullable(),
  /** How the last checkpoint fared on its way there. */
  lastSentAt: Instant.nullable(),
  lastSentSeq: Id.nullable(),
  lastFailure: z.string().nullable(),
})
export type AuditSettings = z.infer<typeof AuditSettings>

const whoSees = 'An Admin sees all, others what concerns features they may view'
export const audit = {
  list: get('/audit-log', {
    needs: 'session',
    summary: `The audit trail, newest first. ${whoSees}`,
    query: AuditQuery,
    returns: countedPageOf(AuditLine),
  }),
  search: get('/audit-log/search', {
    needs: 'session',
    summary: `The entries that contain a text. ${whoSees}`,
    query: AuditQuery,
    returns: countedPageOf(AuditLine),
  }),
  exportCsv: get('/audit-log/audit-trail.csv', {
    needs: 'session',
    summary: 'The filtered trail as CSV: an Admin gets all, others their own and that of features they may export',
    query: AuditFilter,
    returns: file('text/csv'),
  }),
  verify: get('/audit-log/verify', {
    needs: 'admin',
    summary: 'Recomputes the trail from its first entry, and compares it with its checkpoints',
    returns: AuditVerdict,
  }),
  compare: post('/audit-log/verify', {
    needs: 'admin',
    summary: 'Verifies the trail against a checkpoint file that was kept elsewhere, too',
    readOnly: true,
    body: CheckpointFile,
    maxBodyBytes: 10_485_760,
    returns: AuditVerdict,
  }),
  checkpoints: get('/audit-log/checkpoints', {
    needs: 'admin',
    summary: 'The checkpoint file, after signing the trail as it is now',
    writes: 'A checkpoint of the moment, so that the file covers the whole trail',
    returns: file('application/json'),
  }),
  evidence: get('/audit-log/evidence', {
    needs: 'admin',
    summary:
      'The whole trail with hashes and checkpoints, a JSON object a line, for who verifies it without this server',
    writes: 'A checkpoint of the moment, so that all that is exported is signed',
    returns: file('application/x-ndjson'),
  }),
  keys: get('/audit-log/keys', {
    needs: 'public',
    summary: 'The public keys that checkpoints are signed with, oldest first',
    returns: z.array(AuditKey),
  }),
  settings: get('/audit-log/settings', {
    needs: 'admin',
    summary: 'Where checkpoints are posted, and how that went',
    returns: AuditSettings,
  }),
  changeSettings: put('/audit-log/settings', {
    needs: 'admin',
    summary: 'Sets where checkpoints are posted; null: nowhere',
    body: z.strictObject({ webhookUrl: WebhookUrl.nullable() }),
    returns: AuditSettings,
  }),
}
