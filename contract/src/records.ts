import { z } from 'zod'
import { del, file, get, post, put } from './call.ts'
import { Done, GivenInstant, Id, Instant, namedFile, paragraph, startBeforeEnd, text } from './common.ts'
import { DeviceReport, reportChoice } from './device-reports.ts'
import { ChartQuery, GroupChart } from './groups.ts'
import { countedPageOf, Paging } from './paging.ts'
import { Budget, BudgetState } from './record-budget.ts'
import { LoginCode } from './second-factor.ts'
import { StatsOfDevice, StatsPeriod, Verdict } from './stats.ts'

/** `devices`: most a record by hand watches; `groupDevices`: most a group's record does. */
export const recordLimits = {
  devices: 50,
  groupDevices: 500,
  notes: 200,
  attachments: 50,
  attachmentBytes: 8 * 1024 * 1024,
} as const

export const recordStates = ['planned', 'running', 'ended'] as const
export const RecordState = z.enum(recordStates)
export type RecordState = z.infer<typeof RecordState>

export const TrackRecord = z.object({
  id: Id,
  /** Null: its devices were chosen by hand, or its group was deleted since. */
  group: z.object({ id: Id, name: z.string() }).nullable(),
  /** The group it was of, where that was deleted since. */
  formerGroup: z.string().nullable(),
  /** The order that begins and ends it. */
  order: z.object({ id: Id, trackingCode: z.string() }).nullable(),
  name: z.string(),
  lot: z.string().nullable(),
  state: RecordState,
  startAt: Instant,
  /** When it ended, or is to end by itself; null: when somebody ends it, or at its destination. */
  endAt: Instant.nullable(),
  endedBy: z.enum(['hand', 'time', 'destination']).nullable(),
  destination: z.object({ geofenceId: Id, name: z.string() }).nullable(),
  /** For a group's record that has not begun: its devices of now. They are fixed when it begins. */
  deviceCount: z.number().int(),
  /** Excursions of its devices that reach into its time so far. */
  excursions: z.number().int(),
  hasBudget: z.boolean(),
  /** The last signature, if any; `isVoid`: what was signed has changed since. */
  signature: z
    .object({ meaning: z.enum(['reviewed', 'approved', 'rejected']), signerName: z.string(), isVoid: z.boolean() })
    .nullable(),
  createdBy: z.string(),
  createdAt: Instant,
})
export type TrackRecord = z.infer<typeof TrackRecord>

export const RecordDevice = z.object({
  id: Id,
  /** As it is called now. */
  name: z.string(),
  decommissionedAt: Instant.nullable(),
  /** When it joined the record under way, and when it was taken off; null: it did not, and it was not. */
  joinedAt: Instant.nullable(),
  leftAt: Instant.nullable(),
  /** The hardware that measured for it in the record's time, in order: more than one where it was swapped. */
  hardware: z.array(z.object({ imei: z.string(), probe: z.number().int(), from: Instant, to: Instant.nullable() })),
})
export type RecordDevice = z.infer<typeof RecordDevice>

/** An addendum is added to a signed record and voids no signature; those that come after it cover it, too. */
const AdditionKind = z.enum(['part', 'addendum']).default('part')
export type AdditionKind = z.infer<typeof AdditionKind>

/**
 * The signatures of the record that the person has seen: where there are more by now, what would void one that the person was not told of is
 * refused. Left out: whatever is there.
 */
const seenSignatures = { seenSignatures: z.coerce.number().int().min(0).max(10_000).optional() }

export const RecordNote = z.object({ id: Id, text: z.string(), by: z.string(), at: Instant, isAddendum: z.boolean() })
export type RecordNote = z.infer<typeof RecordNote>

export const attachmentTypes = ['png', 'jpg', 'webp', 'pdf', 'csv', 'txt'] as const
export const RecordAttachment = z.object({
  id: Id,
  /** Its name as the person attached it; it is kept and offered under a name of ours. */
  name: z.string(),
  type: z.enum(attachmentTypes),
  sizeBytes: z.number().int(),
  sha256: z.string(),
  by: z.string(),
  at: Instant,
  isAddendum: z.boolean(),
})
export type RecordAttachment = z.infer<typeof RecordAttachment>

export const SignatureMeaning = z.enum(['reviewed', 'approved', 'rejected'])
export type SignatureMeaning = z.infer<typeof SignatureMeaning>
/** The parts that a signature covers, each hashed by itself, so that one can say what changed. */
export const signedParts = [
  'record',
  'readings',
  'hardware',
  'limits',
  'notes',
  'attachments',
  'budget',
  'addenda',
] as const
/** `signature`: what is kept of the signature itself is no longer what was given. */
export const SignedPart = z.enum([...signedParts, 'signature'])
export type SignedPart = z.infer<typeof SignedPart>
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

export const RecordSignature = z.object({
  id: Id,
  meaning: SignatureMeaning,
  reason: z.string(),
  signerName: z.string(),
  signerRole: z.string(),
  signedAt: Instant,
  /** Hashes of the signed content, and of this signature with all it binds. */
  contentSha256: Sha256,
  sha256: Sha256,
  previousSha256: Sha256.nullable(),
  /** Empty: it stands. Else what has changed since it was given: it is void. */
  changed: z.array(SignedPart),
})
export type RecordSignature = z.infer<typeof RecordSignature>

export const RecordDetails = TrackRecord.extend({
  /** The period of its readings on screens: to its end, or now. */
  from: Instant,
  to: Instant,
  devices: z.array(RecordDevice),
  /** Devices of a group's record that are not for the caller. */
  hiddenDevices: z.number().int(),
  budget: BudgetState.nullable(),
  notes: z.array(RecordNote),
  attachments: z.array(RecordAttachment),
  signatures: z.array(RecordSignature),
  /** The content that a signature would cover now; null where it cannot be signed: it is not over, or partly hidden. */
  contentSha256: Sha256.nullable(),
})
export type RecordDetails = z.infer<typeof RecordDetails>

/** The issue of a record as a PDF. */
export const RecordReport = DeviceReport.omit({ deviceId: true, deviceName: true, format: true })
export type RecordReport = z.infer<typeof RecordReport>

export const RecordStats = z.object({
  /** The worst of its devices'; in range only where it had one at each moment. */
  verdict: Verdict,
  /** Each over what counts of it. */
  devices: z.array(StatsOfDevice.extend({ deviceId: Id, name: z.string() })),
  /** When it had none of these devices. */
  unattended: z.array(StatsPeriod),
})
export type RecordStats = z.infer<typeof RecordStats>

const sorts = ['startAt', '-startAt', 'name', '-name'] as const
export const RecordQuery = Paging.extend({ state: RecordState.optional(), sort: z.enum(sorts).default('-startAt') })
export type RecordQuery = z.infer<typeof RecordQuery>

const common = {
  name: text(80),
  /** The same lot's records share its stability budget. */
  lot: text(60).optional(),
  /** From now on where left out; later: it begins by itself; in the past: made afterwards. */
  startAt: GivenInstant.optional(),
  /** When it ends by itself, or ended. */
  endAt: GivenInstant.optional(),
  /** A geofence: the first fix inside ends it (of a device that begins inside, the first after it had left). */
  destinationId: Id.optional(),
  budget: Budget.optional(),
  note: paragraph(2_000).optional(),
}
const inOrder = startBeforeEnd('startAt', 'endAt')
export const NewRecord = z
  .strictObject({ ...common, deviceIds: z.array(Id).min(1).max(recordLimits.devices) })
  .superRefine(inOrder)
export type NewRecord = z.infer<typeof NewRecord>
export const NewGroupRecord = z.strictObject(common).superRefine(inOrder)
export type NewGroupRecord = z.infer<typeof NewGroupRecord>

export const SignRecord = z.strictObject({
  meaning: SignatureMeaning,
  reason: text(500),
  /** Left out by who has no password: they have proved within the last 15 minutes, at the issuer of their company, who they are. */
  password: z.string().min(1).max(200).optional(),
  /** A code of the signer's app. A signer with a second factor gives it here, or has proved by one who they are within the last 15 minutes. */
  code: LoginCode.optional(),
  /**
   * The content as the signer saw it: another one by now is refused. Where it is left out, whatever is there now is signed; a
   * second time with the same meaning and reason never.
   */
  contentSha256: Sha256.optional(),
})
export type SignRecord = z.infer<typeof SignRecord>

export const NewAttachment = z.strictObject({
  file: namedFile(recordLimits.attachmentBytes),
  kind: AdditionKind,
  ...seenSignatures,
})
export type NewAttachment = z.infer<typeof NewAttachment>

const view = { needs: 'devices.view' } as const
const edit = { needs: 'devices.addOrEdit' } as const

export const records = {
  list: get('/enterprise/records', {
    ...view,
    summary: 'The records of devices, without those of groups; newest first',
    query: RecordQuery,
    returns: countedPageOf(TrackRecord),
  }),
  exportCsv: get('/enterprise/records/export', {
    needs: 'devices.export',
    summary: 'records.csv of what search and filter leave',
    query: RecordQuery.omit({ page: true, perPage: true }),
    returns: file('text/csv'),
  }),
  add: post('/enterprise/record', {
    ...edit,
    begins: 'other',
    summary: 'Makes a record: from now on, from a later time, or of the past',
    body: NewRecord,
    returns: TrackRecord,
  }),
  one: get('/enterprise/record/:id', {
    ...view,
    summary: 'A record, of devices or of a group, with its notes, files, signatures and budget',
    returns: RecordDetails,
  }),
  remove: del('/enterprise/record/:id', {
    ...edit,
    summary: 'Deletes a record that nobody has signed; readings stay',
    returns: Done,
  }),
  start: put('/enterprise/record/start/:id', {
    ...edit,
    summary: 'Begins a planned record now',
    returns: TrackRecord,
  }),
  end: put('/enterprise/record/end/:id', { ...edit, summary: 'Ends a running record now', returns: TrackRecord }),
  stats: get('/enterprise/record/:id/stats', {
    ...view,
    readsMany: true,
    summary: 'Statistics and verdict of each of its devices through the record',
    returns: RecordStats,
  }),
  chart: get('/enterprise/record/:id/chart', {
    ...view,
    readsMany: true,
    summary: 'All the record’s devices on one chart, through the record; without limits, which are each device’s own',
    query: ChartQuery,
    returns: GroupChart,
  }),
  sign: post('/enterprise/record/:id/signatures', {
    ...edit,
    needsPerson: true,
    limit: 'signature',
    summary:
      'Signs a record that is over, with the password or a proof by single sign-on, and the second factor where there is one',
    body: SignRecord,
    returns: RecordSignature,
  }),
  addNote: post('/enterprise/record/:id/notes', {
    ...edit,
    summary: 'Adds a note; what was signed before is void by it, unless it is an addendum',
    body: z.strictObject({
      text: paragraph(2_000).refine((value) => value.length > 0, 'noteEmpty'),
      kind: AdditionKind,
      ...seenSignatures,
    }),
    returns: RecordNote,
  }),
  removeNote: del('/enterprise/record-notes/:id', {
    ...edit,
    summary: 'Takes a note away',
    query: z.strictObject(seenSignatures),
    returns: Done,
  }),
  attach: post('/enterprise/record/:id/attachments', {
    ...edit,
    summary: 'Attaches a file: PNG, JPEG, WebP, PDF, CSV or plain text, judged by its content',
    body: NewAttachment,
    bodyKind: 'form',
    // The file, and what stands around it.
    maxBodyBytes: recordLimits.attachmentBytes + 65_536,
    returns: RecordAttachment,
  }),
  attachment: get('/enterprise/record-attachments/:id', {
    ...view,
    summary: 'The content of an attached file',
    returns: file('application/octet-stream'),
  }),
  removeAttachment: del('/enterprise/record-attachments/:id', {
    ...edit,
    summary: 'Takes an attached file away',
    query: z.strictObject(seenSignatures),
    returns: Done,
  }),
  report: post('/enterprise/record/:id/report', {
    needs: 'devices.export',
    summary: 'Builds the record’s report as a PDF and mails it to the caller, or to others of the team, or to nobody',
    body: z.strictObject(reportChoice),
    returns: RecordReport,
  }),
  reports: get('/enterprise/record/:id/reports', {
    ...view,
    summary: 'The reports of a record, newest first',
    returns: z.array(RecordReport),
  }),
  reportFile: get('/enterprise/record-reports/:id/file', {
    needs: 'devices.export',
    summary: 'The file of a record’s report, once it is ready',
    returns: file('application/pdf'),
  }),
}
