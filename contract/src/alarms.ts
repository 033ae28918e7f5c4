import { z } from 'zod'
import { AlarmRule, AlarmSchedule, ConditionName, FenceRule, ValueRule } from './alarm-rules.ts'
import { del, get, patch, post, put } from './call.ts'
import { Done, Email, Id, Instant, openPeriodWith, Phone, paragraph, text } from './common.ts'
import { Paging, pageOf } from './paging.ts'

export const Severity = z.enum(['warning', 'critical'])
export type Severity = z.infer<typeof Severity>
export const channels = ['app', 'mail', 'sms', 'chat', 'webhook'] as const
export const Channel = z.enum(channels)
export type Channel = z.infer<typeof Channel>

/** https, or http for a machine on the company's own net where the operator allows it; judged again when it is called. */
export const WebhookUrl = z.url({ protocol: /^https?$/ }).max(2000)

export const alarmLimits = { targets: 1000, recipients: 100, snoozeDays: 7, noteLength: 2000 } as const

const personal = z
  .array(z.enum(['app', 'mail', 'sms', 'chat']))
  .min(1)
  .max(4)
/** A person by the channels they get it by, or a raw address (whose channel follows from its field). */
export const NewRecipient = z.union([
  z.strictObject({ userId: Id, channels: personal }),
  z.strictObject({ email: Email }),
  z.strictObject({
    phone: Phone,
    channels: z
      .array(z.enum(['sms', 'chat']))
      .min(1)
      .max(2),
  }),
  z.strictObject({ webhook: WebhookUrl }),
])
export type NewRecipient = z.infer<typeof NewRecipient>

/** `name` is a person's; null for a raw address. A channel the person has no address for is in `unreachable`. */
export const Recipient = z.object({
  userId: Id.nullable(),
  name: z.string().nullable(),
  address: z.string().nullable(),
  channels: z.array(Channel),
  unreachable: z.array(Channel),
})
export type Recipient = z.infer<typeof Recipient>

const settings = {
  name: text(80),
  severity: Severity.default('warning'),
  visibility: z.enum(['private', 'public']).default('public'),
  deviceIds: z.array(Id).max(alarmLimits.targets).default([]),
  groupIds: z.array(Id).max(alarmLimits.targets).default([]),
  recipients: z.array(NewRecipient).min(1).max(alarmLimits.recipients),
  /** Told when nobody acknowledges within `escalateMinutes`. */
  escalation: z.array(NewRecipient).max(alarmLimits.recipients).default([]),
  escalateMinutes: z.number().int().min(1).max(1440).nullable().default(null),
  reminderMinutes: z.number().int().min(5).max(1440).nullable().default(null),
  notifyNormal: z.boolean().default(false),
  schedule: AlarmSchedule.nullable().default(null),
}

type Checked = { deviceIds?: string[]; groupIds?: string[]; escalation?: unknown[]; escalateMinutes?: number | null }
const someTarget = (alarm: Checked) => (alarm.deviceIds?.length ?? 0) + (alarm.groupIds?.length ?? 0) > 0
const wholeEscalation = (alarm: Checked) =>
  (alarm.escalateMinutes === null || alarm.escalateMinutes === undefined) === ((alarm.escalation?.length ?? 0) === 0)
const targetNeeded = { message: 'oneTargetNeeded', path: ['deviceIds'] }
const escalationNeeded = { message: 'escalationWhole', path: ['escalation'] }

export const NewAlarm = z
  .strictObject({ ...settings, rule: AlarmRule })
  .refine(someTarget, targetNeeded)
  .refine(wholeEscalation, escalationNeeded)
export type NewAlarm = z.infer<typeof NewAlarm>
export const NewValueAlarm = z
  .strictObject({ ...settings, rule: ValueRule })
  .refine(someTarget, targetNeeded)
  .refine(wholeEscalation, escalationNeeded)
export const NewFenceAlarm = z
  .strictObject({ ...settings, rule: FenceRule })
  .refine(someTarget, targetNeeded)
  .refine(wholeEscalation, escalationNeeded)

/** What is left out stays; lists replace. The kind of the rule cannot change. */
export const AlarmChange = z.strictObject({
  name: settings.name.optional(),
  severity: Severity.optional(),
  visibility: z.enum(['private', 'public']).optional(),
  deviceIds: z.array(Id).max(alarmLimits.targets).optional(),
  groupIds: z.array(Id).max(alarmLimits.targets).optional(),
  recipients: z.array(NewRecipient).min(1).max(alarmLimits.recipients).optional(),
  escalation: z.array(NewRecipient).max(alarmLimits.recipients).optional(),
  escalateMinutes: z.number().int().min(1).max(1440).nullable().optional(),
  reminderMinutes: z.number().int().min(5).max(1440).nullable().optional(),
  notifyNormal: z.boolean().optional(),
  schedule: AlarmSchedule.nullable().optional(),
  rule: AlarmRule.optional(),
})
export type AlarmChange = z.infer<typeof AlarmChange>

const Named = z.object({ id: Id, name: z.string() })

export const Alarm = z.object({
  id: Id,
  name: z.string(),
  severity: Severity,
  visibility: z.enum(['private', 'public']),
  rule: AlarmRule,
  /** The names of the places of a fence alarm; one that was deleted since is missing. */
  places: z.array(z.object({ kind: z.enum(['geofence', 'pointOfInterest']), id: Id, name: z.string() })),
  schedule: AlarmSchedule.nullable(),
  /** Those the caller may see, the first 50 of each; and how many there are. */
  devices: z.array(Named),
  groups: z.array(Named),
  deviceCount: z.number().int(),
  recipients: z.array(Recipient),
  escalation: z.array(Recipient),
  escalateMinutes: z.number().int().nullable(),
  reminderMinutes: z.number().int().nullable(),
  notifyNormal: z.boolean(),
  /** Null where it is not snoozed now. */
  snoozedUntil: Instant.nullable(),
  openTriggers: z.number().int(),
  lastTriggeredAt: Instant.nullable(),
  createdAt: Instant,
  updatedAt: Instant,
})
export type Alarm = z.infer<typeof Alarm>

const alarmSorts = [
  'name',
  '-name',
  'lastTriggered',
  '-lastTriggered',
  'openTriggers',
  '-openTriggers',
  'createdAt',
  '-createdAt',
] as const
export const AlarmQuery = Paging.extend({
  sort: z.enum(alarmSorts).default('name'),
  kind: z.enum(['value', 'fence', 'noData']).optional(),
  severity: Severity.optional(),
  snoozed: z.enum(['true', 'false']).optional(),
  device: Id.optional(),
  group: Id.optional(),
})
export type AlarmQuery = z.infer<typeof AlarmQuery>

/** `until` at most 7 days ahead; `null` unsnoozes. */
export const Snooze = z.strictObject({ until: Instant.nullable() })
export type Snooze = z.infer<typeof Snooze>

export const triggerStates = ['pending', 'open', 'acknowledged', 'normal', 'resolved'] as const
export const TriggerState = z.enum(triggerStates)
export type TriggerState = z.infer<typeof TriggerState>

/** A message that told somebody of a trigger. */
export const Told = z.object({
  /** A channel of the alarm, or a browser of the person. */
  channel: z.enum([...Channel.options, 'push']),
  to: z.string(),
  event: z.enum(['opened', 'normal', 'reminder', 'escalated', 'unsnoozed', 'test', 'withdrawn']),
  state: z.enum(['held', 'queued', 'sending', 'accepted', 'delivered', 'failed', 'skipped', 'read', 'unread']),
  /** Why it is held, skipped or failed, in the caller's language. */
  reason: z.string().nullable(),
  at: Instant,
})
export type Told = z.infer<typeof Told>

const By = z.object({ id: Id.nullable(), name: z.string() })

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
  value: z.number().nullable(),
  peak: z.number().nullable(),
  peakAt: Instant.nullable(),
  position: z.object({ lat: z.number(), lon: z.number(), placeName: z.string().nullable() }).nullable(),
  isLate: z.boolean(),
  amendedAt: Instant.nullable(),
  /** Late data showed that it never was. */
  withdrawnAt: Instant.nullable(),
  acknowledgedAt: Instant.nullable(),
  acknowledgedBy: By.nullable(),
  resolvedAt: Instant.nullable(),
  resolvedBy: By.nullable(),
  note: z.string().nullable(),
  /** Recorded while its alarm was snoozed: nobody was told. */
  isShelved: z.boolean(),
  escalatedAt: Instant.nullable(),
  told: z.array(Told),
  canAcknowledge: z.boolean(),
})
export type Trigger = z.infer<typeof Trigger>

export const triggerSorts = ['openedAt', '-openedAt', 'severity', '-severity', 'deviceName', '-deviceName'] as const
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
})
export type TriggerQuery = z.infer<typeof TriggerQuery>

export const TriggerPage = pageOf(Trigger).extend({
  /** Of everything the filters other than `states` leave. */
  counts: z.record(TriggerState, z.number().int()),
})

const Note = paragraph(alarmLimits.noteLength)
export const Acknowledgement = z.strictObject({ note: Note.optional() })
export const Resolution = z.strictObject({ note: Note.min(1) })
export const BulkTriggers = z.strictObject({
  ids: z.array(Id).min(1).max(500),
  action: z.enum(['acknowledge', 'resolve']),
  note: Note.optional(),
})
/** Those it changed; the others were over already, or are none the caller may change. */
export const BulkResult = z.object({ changed: z.array(Id), unchanged: z.array(Id) })

/** One firing that the rule would have had. */
export const BackTestFiring = z.object({
  deviceId: Id,
  deviceName: z.string(),
  condition: ConditionName,
  fence: z.string().nullable(),
  breachAt: Instant,
  openedAt: Instant,
  normalAt: Instant.nullable(),
  limit: z.number().nullable(),
  peak: z.number().nullable(),
})
export type BackTestFiring = z.infer<typeof BackTestFiring>
export const BackTestQuestion = z
  .strictObject({
    rule: AlarmRule,
    deviceIds: z.array(Id).max(alarmLimits.targets).default([]),
    groupIds: z.array(Id).max(alarmLimits.targets).default([]),
    schedule: AlarmSchedule.nullable().default(null),
    recipients: z.array(NewRecipient).max(alarmLimits.recipients).default([]),
    notifyNormal: z.boolean().default(false),
    name: text(80, 0).default(''),
    severity: Severity.default('warning'),
    days: z.number().int().min(1).max(90).default(30),
    /** Set to go on with a back-test that was not done: what the answer before gave. */
    cursor: z.string().max(200).optional(),
  })
  .refine(someTarget, targetNeeded)
export type BackTestQuestion = z.infer<typeof BackTestQuestion>
export const BackTest = z.object({
  from: Instant,
  to: Instant,
  devices: z.number().int(),
  /** All of them, of which `firings` lists the newest 200. */
  count: z.number().int(),
  firings: z.array(BackTestFiring),
  smsUnits: z.number().int(),
  chatUnits: z.number().int(),
  mails: z.number().int(),
  /** 0 to 1; below 1 ask again with `cursor` and add up. */
  progress: z.number(),
  cursor: z.string().nullable(),
})
export type BackTest = z.infer<typeof BackTest>

/** What webhooks are signed with: X-Isotherm-Signature is `sha256=` and the hex HMAC-SHA256 of timestamp, a dot and the body. */
export const WebhookKey = z.object({ secret: z.string(), createdAt: Instant })
export type WebhookKey = z.infer<typeof WebhookKey>

export const alarms = {
  list: get('/alarms', {
    needs: 'alarms.view',
    summary: 'The alarms, paged, with search and filters',
    query: AlarmQuery,
    returns: pageOf(Alarm),
  }),
  add: post('/alarms', {
    needs: 'alarms.addOrEdit',
    summary: 'Creates an alarm of any kind',
    body: NewAlarm,
    returns: Alarm,
  }),
  addFence: post('/alarms/geofence', {
    needs: 'alarms.addOrEdit',
    summary: 'Creates a fence alarm',
    body: NewFenceAlarm,
    returns: Alarm,
  }),
  addValue: post('/alarms/value', {
    needs: 'alarms.addOrEdit',
    summary: 'Creates a value alarm',
    body: NewValueAlarm,
    returns: Alarm,
  }),
  backTest: post('/alarms/backtest', {
    needs: 'alarms.view',
    summary: 'What a rule would have done over the last days, and the units it would have cost',
    body: BackTestQuestion,
    returns: BackTest,
    readOnly: true,
  }),
  snoozeAll: put('/alarms', {
    needs: 'alarms.addOrEdit',
    summary: 'Snoozes or unsnoozes every alarm',
    body: Snooze,
    returns: z.object({ changed: z.number().int() }),
  }),
  webhookKey: get('/alarms/webhook-key', {
    needs: 'alarms.addOrEdit',
    summary: 'The key that the company’s webhooks are signed with',
    returns: WebhookKey,
  }),
  rotateWebhookKey: post('/alarms/webhook-key', {
    needs: 'alarms.addOrEdit',
    summary: 'Replaces the key that webhooks are signed with',
    returns: WebhookKey,
  }),
  one: get('/alarms/:id', { needs: 'alarms.view', summary: 'One alarm', returns: Alarm }),
  change: patch('/alarms/:id', {
    needs: 'alarms.addOrEdit',
    summary: 'Changes an alarm',
    body: AlarmChange,
    returns: Alarm,
  }),
  changeFence: put('/alarms/geofence/:id', {
    needs: 'alarms.addOrEdit',
    summary: 'Replaces a fence alarm',
    body: NewFenceAlarm,
    returns: Alarm,
  }),
  remove: del('/alarms/:id', {
    needs: 'alarms.addOrEdit',
    summary: 'Deletes an alarm; its triggers stay on record',
    returns: Done,
  }),
  snooze: patch('/alarms/:id/snooze', {
    needs: 'alarms.addOrEdit',
    summary: 'Snoozes an alarm until a time, or unsnoozes it',
    body: Snooze,
    returns: Alarm,
  }),
  test: post('/alarms/:id/test', {
    needs: 'alarms.addOrEdit',
    summary: 'Pushes a test through the alarm’s real channels',
    returns: z.object({ messages: z.number().int() }),
  }),
  triggersOf: get('/alarms/:id/excursions', {
    needs: 'alarms.view',
    summary: 'The triggers of one alarm, paged',
    query: TriggerQuery,
    returns: TriggerPage,
  }),
  triggers: get('/alarm-triggers', {
    needs: 'alarms.view',
    summary: 'Triggers, paged, by state, severity, period, alarm, device or group',
    query: TriggerQuery,
    returns: TriggerPage,
  }),
  trigger: get('/alarm-triggers/:id', {
    needs: 'alarms.view',
    summary: 'One trigger, with who was told',
    returns: Trigger,
  }),
  acknowledge: patch('/alarm-triggers/:id/acknowledge', {
    needs: 'alarms.view',
    summary: 'Acknowledges a trigger: by whoever was told, or with addOrEdit',
    readOnly: true,
    body: Acknowledgement,
    returns: Trigger,
  }),
  resolve: patch('/alarm-triggers/:id/resolve', {
    needs: 'alarms.addOrEdit',
    summary: 'Resolves a trigger with a note',
    readOnly: true,
    body: Resolution,
    returns: Trigger,
  }),
  bulk: patch('/alarm-triggers', {
    needs: 'alarms.view',
    summary: 'Acknowledges or resolves several triggers',
    readOnly: true,
    body: BulkTriggers,
    returns: BulkResult,
  }),
  criticals: get('/enterprise/criticals', {
    needs: 'session',
    summary: 'The open critical triggers, newest first',
    query: Paging.omit({ sort: true, search: true }),
    returns: pageOf(Trigger),
  }),
}
