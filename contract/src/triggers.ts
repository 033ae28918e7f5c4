import { z } from 'zod'
import { Channel } from './alarm-recipients.ts'
import { alarmLimits, ConditionName, Cumulative, Severity } from './alarm-rules.ts'
import { Id, Instant, openPeriodWith, paragraph } from './common.ts'
import { countedPageOf, Paging } from './paging.ts'

export const triggerStates = ['pending', 'open', 'acknowledged', 'normal', 'resolved'] as const
export const TriggerState = z.enum(triggerStates)
export type TriggerState = z.infer<typeof TriggerState>

/** A message that told somebody of a trigger. */
export const Receipt = z.object({
  /** A channel of the alarm, or a browser of the person. */
  channel: z.enum([...Channel.options, 'push']),
  to: z.string(),
  event: z.enum([
    'opened',
    'normal',
    'reminder',
    'escalated',
    'unsnoozed',
    'test',
    'withdrawn',
    'worsened',
    'assigned',
  ]),
  state: z.enum(['held', 'queued', 'sending', 'accepted', 'delivered', 'failed', 'skipped', 'read', 'unread']),
  /** Why it is held, skipped or failed, in the caller's language. */
  reason: z.string().nullable(),
  at: Instant,
})
export type Receipt = z.infer<typeof Receipt>

const By = z.object({ id: Id.nullable(), name: z.string() })
const Person = z.object({ id: Id, name: z.string() })

/** One firing at one device. Values in degrees Celsius, percent, or minutes of silence, by condition. */
export const Trigger = z.object({
  id: Id,
  alarmId: Id,
  alarmName: z.string(),
  deviceId: Id,
  deviceName: z.string(),
  condition: ConditionName,
  /** The name of the geofence or point of interest; null for other conditions. */
  fence: z.string().nullable(),
  severity: Severity,
  state: TriggerState,
  /** The first reading outside, by the device's clock. */
  breachAt: Instant,
  /** When its delay was over; null while pending. */
  openedAt: Instant.nullable(),
  normalAt: Instant.nullable(),
  /** By our clock: when we knew. */
  recordedAt: Instant.nullable(),
  limit: z.number().nullable(),
  /** For an alarm that adds up the time outside: its rule as it was then; null for others. */
  cumulative: Cumulative.nullable(),
  value: z.number().nullable(),
  peak: z.number().nullable(),
  peakAt: Instant.nullable(),
  position: z.object({ lat: z.number(), lon: z.number(), placeName: z.string().nullable() }).nullable(),
  isLate: z.boolean(),
  amendedAt: Instant.nullable(),
  /** Late data showed that it never was. */
  withdrawnAt: Instant.nullable(),
  /** It was resolved while its values were outside, and they got worse. */
  refiredAt: Instant.nullable(),
  acknowledgedAt: Instant.nullable(),
  acknowledgedBy: By.nullable(),
  resolvedAt: Instant.nullable(),
  resolvedBy: By.nullable(),
  note: z.string().nullable(),
  /** Recorded while its alarm was snoozed: nobody was told. */
  isShelved: z.boolean(),
  escalatedAt: Instant.nullable(),
  told: z.array(Receipt),
  canAcknowledge: z.boolean(),
  /** The caller may comment on it and say who looks after it. */
  canHandle: z.boolean(),
  /** The person who looks after it; null also where they were removed or may not see it any more. */
  assignee: Person.nullable(),
  assignedAt: Instant.nullable(),
  assignedBy: By.nullable(),
  /** The number of its comments. */
  comments: z.number().int(),
})
export type Trigger = z.infer<typeof Trigger>

/** `urgency`: the device first that needs somebody most, its triggers together. */
const triggerSorts = ['urgency', 'openedAt', '-openedAt', 'severity', '-severity', 'deviceName', '-deviceName'] as const
export const TriggerQuery = openPeriodWith({
  page: Paging.shape.page,
  perPage: Paging.shape.perPage,
  search: Paging.shape.search,
  sort: z.enum(triggerSorts).default('-openedAt'),
  /** Comma-separated states; default: all but pending and resolved. */
  states: z.string().max(100).optional(),
  severity: Severity.optional(),
  alarm: Id.optional(),
  device: Id.optional(),
  group: Id.optional(),
  /** Those that the caller looks after, or nobody. */
  assignee: z.enum(['me', 'nobody']).optional(),
})
export type TriggerQuery = z.infer<typeof TriggerQuery>

/** The counts of `filterCounts` are those of severities, among the asked states. */
export const TriggerPage = countedPageOf(Trigger).extend({
  /** Counts over everything that the filters other than `states` leave. */
  counts: z.record(TriggerState, z.number().int()),
  /** Those of the asked states that the caller looks after, and that nobody looks after; whatever `assignee` says. */
  assigned: z.object({ me: z.number().int(), nobody: z.number().int() }),
})
export type TriggerPage = z.infer<typeof TriggerPage>

const Note = paragraph(alarmLimits.noteLength)
export const Acknowledgement = z.strictObject({ note: Note.optional() })
export const Resolution = z.strictObject({ note: Note.min(1) })
export const BulkTriggers = z.strictObject({
  ids: z.array(Id).min(1).max(500),
  action: z.enum(['acknowledge', 'resolve']),
  note: Note.optional(),
})
/** The filters of a list of triggers, and the note for those of them that are back to normal. */
export const ResolveOver = z.strictObject({
  note: Note.min(1),
  search: Paging.shape.search,
  severity: Severity.optional(),
  alarm: Id.optional(),
  device: Id.optional(),
  group: Id.optional(),
  assignee: z.enum(['me', 'nobody']).optional(),
})
export type ResolveOver = z.infer<typeof ResolveOver>
/** How many it resolved, and how many more are over: a call resolves 500. */
export const OverResolved = z.object({ changed: z.number().int(), left: z.number().int() })

/** Those it changed; the others were over already, or are none the caller may change. */
export const TriggersChanged = z.object({ changed: z.array(Id), unchanged: z.array(Id) })
export type TriggersChanged = z.infer<typeof TriggersChanged>

/** The token of a link in a mail or a push. */
export const AcknowledgeLink = z.strictObject({ token: z.string().min(1).max(200) })
/** The triggers that a link is about, and the person who acknowledges them by it. */
export const LinkedTriggers = z.object({
  fullname: z.string(),
  triggers: z.array(
    Trigger.pick({
      id: true,
      alarmName: true,
      deviceName: true,
      condition: true,
      fence: true,
      severity: true,
      state: true,
      breachAt: true,
      normalAt: true,
      limit: true,
      cumulative: true,
      peak: true,
      withdrawnAt: true,
      acknowledgedBy: true,
      canAcknowledge: true,
    }),
  ),
})
export type LinkedTriggers = z.infer<typeof LinkedTriggers>
