import { z } from 'zod'
import { NewRecipient, Recipient } from './alarm-recipients.ts'
import {
  AlarmRule,
  AlarmSchedule,
  alarmLimits,
  FenceRule,
  Severity,
  someTarget,
  targetNeeded,
  ValueRule,
} from './alarm-rules.ts'
import { BackTest, BackTestQuestion } from './back-test.ts'
import { del, file, get, patch, post, put } from './call.ts'
import { Done, Id, Instant, text, Version } from './common.ts'
import { countedPageOf, Paging, pageOf } from './paging.ts'
import {
  AcknowledgeLink,
  Acknowledgement,
  BulkTriggers,
  LinkedTriggers,
  OverResolved,
  Resolution,
  ResolveOver,
  Trigger,
  TriggerPage,
  TriggerQuery,
  TriggersChanged,
} from './triggers.ts'

const Targets = z.array(Id).max(alarmLimits.targets)

const settings = z.strictObject({
  name: text(80),
  severity: Severity,
  visibility: z.enum(['private', 'public']),
  deviceIds: Targets,
  groupIds: Targets,
  recipients: z.array(NewRecipient).min(1).max(alarmLimits.recipients),
  /** Told when nobody acknowledges within `escalateMinutes`. */
  escalation: z.array(NewRecipient).max(alarmLimits.recipients),
  escalateMinutes: z.number().int().min(1).max(1440).nullable(),
  reminderMinutes: z.number().int().min(5).max(1440).nullable(),
  notifyNormal: z.boolean(),
  schedule: AlarmSchedule.nullable(),
  rule: AlarmRule,
})
const { severity, visibility, escalation, escalateMinutes, reminderMinutes, notifyNormal, schedule } = settings.shape

type Checked = { escalation?: unknown[]; escalateMinutes?: number | null }
const wholeEscalation = (alarm: Checked) =>
  (alarm.escalateMinutes === null || alarm.escalateMinutes === undefined) === ((alarm.escalation?.length ?? 0) === 0)
const escalationNeeded = { message: 'escalationWhole', path: ['escalation'] }

const newAlarm = <Rule extends z.ZodType>(rule: Rule) =>
  settings
    .extend({
      severity: severity.default('warning'),
      visibility: visibility.default('public'),
      deviceIds: Targets.default([]),
      groupIds: Targets.default([]),
      escalation: escalation.default([]),
      escalateMinutes: escalateMinutes.default(null),
      reminderMinutes: reminderMinutes.default(null),
      notifyNormal: notifyNormal.default(false),
      schedule: schedule.default(null),
      rule,
    })
    .refine(someTarget, targetNeeded)
    .refine(wholeEscalation, escalationNeeded)

export const NewAlarm = newAlarm(AlarmRule)
export type NewAlarm = z.infer<typeof NewAlarm>
export const NewValueAlarm = newAlarm(ValueRule)
export const NewFenceAlarm = newAlarm(FenceRule)

/** Omitted fields stay; lists replace. The kind of the rule cannot change. */
export const AlarmChange = settings.extend({ version: Version }).partial()
export type AlarmChange = z.infer<typeof AlarmChange>

const Named = z.object({ id: Id, name: z.string() })

/** Why an alarm cannot do its work: nobody hears of it, a rota of it has nobody who can, it watches no device, a place of its rule was deleted. */
export const alarmFaults = ['tellsNobody', 'rotaSilent', 'watchesNothing', 'placeDeleted'] as const

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
  /** Those whose news are for Admins: private ones, and all where the alarm is private; the first 50, and how many there are. */
  privateDevices: z.array(Named),
  privateDeviceCount: z.number().int(),
  recipients: z.array(Recipient),
  escalation: z.array(Recipient),
  escalateMinutes: z.number().int().nullable(),
  reminderMinutes: z.number().int().nullable(),
  notifyNormal: z.boolean(),
  /** Null where it is not snoozed now. */
  snoozedUntil: Instant.nullable(),
  /** Empty: it can do its work. */
  faults: z.array(z.enum(alarmFaults)),
  openTriggers: z.number().int(),
  lastTriggeredAt: Instant.nullable(),
  createdAt: Instant,
  updatedAt: Instant,
  version: Version,
})
export type Alarm = z.infer<typeof Alarm>

/** How long a device was beyond one limit of a cumulative alarm so far. */
export const OutsideSoFar = z.object({
  device: Named,
  condition: z.enum(['temperatureMin', 'temperatureMax', 'humidityMin', 'humidityMax']),
  /** Whole minutes in the last 24 h, or since `recordFrom`. */
  minutes: z.number().int(),
  /** Since when it is outside without a break; null: it is not outside now, as far as is known. */
  since: Instant.nullable(),
  /** The beginning of the record within which the minutes count; null within 24 h. */
  recordFrom: Instant.nullable(),
})
export type OutsideSoFar = z.infer<typeof OutsideSoFar>

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
  /** Only those with a fault. */
  faulty: z.literal('true').optional(),
})
export type AlarmQuery = z.infer<typeof AlarmQuery>

/** Whose or what's removal is asked about. */
export const SilencedQuery = z.strictObject({
  without: z.enum(['user', 'device', 'group', 'geofence', 'pointOfInterest', 'rota']),
  id: Id,
})
export type SilencedQuery = z.infer<typeof SilencedQuery>

/** `until` at most 7 days ahead; `null` unsnoozes. */
export const Snooze = z.strictObject({ until: Instant.nullable() })
export type Snooze = z.infer<typeof Snooze>

/** The key of webhooks: X-Isotherm-Signature is `sha256=` and the hex HMAC-SHA256 of timestamp, a dot and the body. */
export const WebhookKey = z.object({ secret: z.string(), createdAt: Instant })
export type WebhookKey = z.infer<typeof WebhookKey>

export const alarms = {
  list: get('/alarms', {
    needs: 'alarms.view',
    summary: 'The alarms, paged, with search and filters',
    query: AlarmQuery,
    returns: countedPageOf(Alarm),
  }),
  exportCsv: get('/alarms/export', {
    needs: 'alarms.export',
    summary: 'alarms.csv of what the search and the filters leave',
    query: AlarmQuery.omit({ page: true, perPage: true }),
    returns: file('text/csv'),
  }),
  add: post('/alarms', {
    needs: 'alarms.addOrEdit',
    begins: 'recipients',
    summary: 'Creates an alarm of any kind',
    body: NewAlarm,
    returns: Alarm,
  }),
  addFence: post('/alarms/geofence', {
    needs: 'alarms.addOrEdit',
    begins: 'recipients',
    summary: 'Creates a fence alarm',
    body: NewFenceAlarm,
    returns: Alarm,
  }),
  addValue: post('/alarms/value', {
    needs: 'alarms.addOrEdit',
    begins: 'recipients',
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
  silenced: get('/alarms/silenced', {
    needs: 'alarms.view',
    summary:
      'The alarms that would tell nobody, watch nothing or lose a place without this person, device, group, place or rota',
    query: SilencedQuery,
    returns: z.array(Named),
  }),
  one: get('/alarms/:id', { needs: 'alarms.view', summary: 'One alarm', returns: Alarm }),
  change: patch('/alarms/:id', {
    needs: 'alarms.addOrEdit',
    counts: 'recipients',
    summary: 'Changes an alarm',
    body: AlarmChange,
    returns: Alarm,
  }),
  changeFence: put('/alarms/geofence/:id', {
    needs: 'alarms.addOrEdit',
    counts: 'recipients',
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
  outside: get('/alarms/:id/outside', {
    needs: 'alarms.view',
    summary: 'How long each device was beyond the limits of a cumulative alarm so far, the longest first; at most 50',
    returns: z.object({ data: z.array(OutsideSoFar) }),
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
    auditOptional: true,
    body: Acknowledgement,
    returns: Trigger,
  }),
  resolve: patch('/alarm-triggers/:id/resolve', {
    needs: 'alarms.addOrEdit',
    summary: 'Resolves a trigger with a note',
    auditOptional: true,
    body: Resolution,
    returns: Trigger,
  }),
  bulk: patch('/alarm-triggers', {
    needs: 'alarms.view',
    summary: 'Acknowledges or resolves several triggers',
    auditOptional: true,
    body: BulkTriggers,
    returns: TriggersChanged,
  }),
  resolveOver: patch('/alarm-triggers/over', {
    needs: 'alarms.addOrEdit',
    summary: 'Resolves what is back to normal, as far as the filters leave it',
    auditOptional: true,
    body: ResolveOver,
    returns: OverResolved,
  }),
  checkLink: post('/alarm-triggers/by-link/check', {
    needs: 'public',
    limit: 'token',
    readOnly: true,
    summary: 'Tells what the link of a message acknowledges; does not use it up',
    body: AcknowledgeLink,
    returns: LinkedTriggers,
  }),
  acknowledgeByLink: post('/alarm-triggers/by-link', {
    needs: 'public',
    limit: 'token',
    summary: 'Acknowledges what a message told of, in the name of its reader, and uses its link up',
    body: AcknowledgeLink,
    returns: LinkedTriggers,
  }),
  criticals: get('/enterprise/criticals', {
    needs: 'session',
    summary: 'The open critical triggers, newest first',
    query: Paging.omit({ search: true }),
    returns: pageOf(Trigger),
  }),
}
