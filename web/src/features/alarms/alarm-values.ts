import type { Channel, NewRecipient, Recipient } from '@isotherm/contract/alarm-recipients.ts'
import type {
  AlarmRule,
  AlarmSchedule,
  Cumulative,
  FenceRule,
  Severity,
  ValueRule,
} from '@isotherm/contract/alarm-rules.ts'
import type { Alarm, NewAlarm } from '@isotherm/contract/alarms.ts'
import { differing } from '../../lib/save-change.ts'
import type { Unheard } from '../../ui/not-heard.tsx'

export interface Named {
  id: string
  name: string
}
export type RecipientKind = 'user' | 'rota' | 'email' | 'phone' | 'webhook'

/** A line of the recipients: a person, a rota, or an address as it is typed. */
export interface RecipientValue {
  key: string
  kind: RecipientKind
  userId: string | null
  rotaId: string | null
  name: string
  address: string
  channels: Channel[]
  /** For a saved recipient: the private devices it does not hear of. */
  notHeard?: Unheard
  /** An address that hears of private devices only once an Admin vouches for it. */
  needsVoucher?: boolean
  vouched?: boolean
}

export type Amount = number | ''
export const limitNames = [
  'temperatureMinC',
  'temperatureMaxC',
  'humidityMinPct',
  'humidityMaxPct',
  'batteryMinPct',
  'batteryMaxPct',
] as const
export type LimitName = (typeof limitNames)[number]
export type ValueFields = Record<LimitName | 'delayMinutes' | 'deadbandC' | 'deadbandPct', Amount>

/** An alarm as the form's fields hold it: empty text is no number. `places` are `g<id>` and `p<id>`. */
export interface AlarmValues {
  name: string
  severity: Severity
  visibility: 'private' | 'public'
  devices: Named[]
  groups: Named[]
  kind: AlarmRule['kind']
  value: ValueFields
  /** Minutes in a row are `value.delayMinutes`; those in total are here. */
  counting: 'row' | Cumulative['window']
  totalMinutes: Amount
  fence: { direction: FenceRule['direction']; places: string[]; dwellMinutes: Amount }
  afterMinutes: Amount
  recipients: RecipientValue[]
  escalates: boolean
  escalation: RecipientValue[]
  escalateMinutes: Amount
  reminds: boolean
  reminderMinutes: Amount
  notifyNormal: boolean
  isScheduled: boolean
  schedule: AlarmSchedule
}

let lines = 0
export const recipientLine = (line: Omit<RecipientValue, 'key'>): RecipientValue => {
  lines += 1
  return { key: `line-${lines}`, ...line }
}

/** The defaults of a new alarm: a refrigerator's upper limit, with its maker as recipient. */
export const newValues = (own: Named, zone: string): AlarmValues => ({
  name: '',
  severity: 'warning',
  visibility: 'public',
  devices: [],
  groups: [],
  kind: 'value',
  value: {
    temperatureMinC: '',
    temperatureMaxC: 8,
    humidityMinPct: '',
    humidityMaxPct: '',
    batteryMinPct: '',
    batteryMaxPct: '',
    delayMinutes: 10,
    deadbandC: 0.5,
    deadbandPct: 2,
  },
  counting: 'row',
  totalMinutes: 60,
  fence: { direction: 'in', places: [], dwellMinutes: 0 },
  afterMinutes: 60,
  recipients: [
    recipientLine({
      ...{ kind: 'user', userId: own.id, rotaId: null, name: own.name, address: '', channels: ['app', 'mail'] },
    }),
  ],
  escalates: false,
  escalation: [],
  escalateMinutes: 30,
  reminds: false,
  reminderMinutes: 60,
  notifyNormal: true,
  isScheduled: false,
  schedule: { zone, days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' },
})

const kindOf = ({ userId, rotaId, address }: Recipient): RecipientKind =>
  userId
    ? 'user'
    : rotaId
      ? 'rota'
      : address?.startsWith('+')
        ? 'phone'
        : address?.includes('://')
          ? 'webhook'
          : 'email'

const lineOf = (recipient: Recipient, { privateDevices, privateDeviceCount }: Alarm): RecipientValue =>
  recipientLine({
    kind: kindOf(recipient),
    userId: recipient.userId,
    rotaId: recipient.rotaId,
    name: recipient.name ?? '',
    address: recipient.address ?? '',
    channels: recipient.channels,
    ...(!recipient.hearsPrivate && {
      notHeard: { devices: privateDevices, count: privateDeviceCount },
      needsVoucher: recipient.address !== null,
    }),
  })

/** The fields of an alarm that is there. */
export function valuesOfAlarm(alarm: Alarm, zone: string): AlarmValues {
  const blank = newValues({ id: '', name: '' }, zone)
  const { rule } = alarm
  return {
    ...blank,
    name: alarm.name,
    severity: alarm.severity,
    visibility: alarm.visibility,
    devices: alarm.devices,
    groups: alarm.groups,
    kind: rule.kind,
    ...(rule.kind === 'value' ? { value: fieldsOf(rule), ...countingOf(rule, blank) } : {}),
    ...(rule.kind === 'fence'
      ? {
          fence: {
            direction: rule.direction,
            places: [...rule.geofenceIds.map((id) => `g${id}`), ...rule.pointOfInterestIds.map((id) => `p${id}`)],
            dwellMinutes: rule.dwellMinutes,
          },
        }
      : {}),
    ...(rule.kind === 'noData' ? { afterMinutes: rule.afterMinutes } : {}),
    recipients: alarm.recipients.map((each) => lineOf(each, alarm)),
    escalates: alarm.escalateMinutes !== null,
    escalation: alarm.escalation.map((each) => lineOf(each, alarm)),
    escalateMinutes: alarm.escalateMinutes ?? blank.escalateMinutes,
    reminds: alarm.reminderMinutes !== null,
    reminderMinutes: alarm.reminderMinutes ?? blank.reminderMinutes,
    notifyNormal: alarm.notifyNormal,
    isScheduled: alarm.schedule !== null,
    schedule: alarm.schedule ?? blank.schedule,
  }
}

const countingOf = ({ cumulative }: ValueRule, blank: AlarmValues) => ({
  counting: cumulative?.window ?? blank.counting,
  totalMinutes: cumulative?.minutes ?? blank.totalMinutes,
})

function fieldsOf({ kind: _, cumulative: __, ...rule }: ValueRule): ValueFields {
  return Object.fromEntries(Object.entries(rule).map(([name, value]) => [name, value ?? ''])) as ValueFields
}

const orNull = (amount: Amount) => (amount === '' ? null : amount)
// An amount that is needed and was left empty: the schema says so at its field.
const needed = (amount: Amount) => (amount === '' ? (undefined as unknown as number) : amount)
const idsOf = (places: string[], sort: 'g' | 'p') =>
  places.filter((place) => place.startsWith(sort)).map((place) => place.slice(1))

/** The rule that the fields say. */
export function ruleOf({ kind, value, counting, totalMinutes, fence, afterMinutes }: AlarmValues): AlarmRule {
  if (kind === 'noData') return { kind, afterMinutes: needed(afterMinutes) }
  if (kind === 'fence')
    return {
      kind,
      direction: fence.direction,
      geofenceIds: idsOf(fence.places, 'g'),
      pointOfInterestIds: idsOf(fence.places, 'p'),
      dwellMinutes: fence.dwellMinutes || 0,
    }
  const limits = Object.fromEntries(limitNames.map((name) => [name, orNull(value[name])])) as Record<LimitName, number>
  const isTotal = counting !== 'row'
  return {
    kind,
    ...limits,
    // Those of the battery are not on the screen then.
    ...(isTotal ? { batteryMinPct: null, batteryMaxPct: null } : {}),
    delayMinutes: isTotal ? 0 : value.delayMinutes || 0,
    cumulative: isTotal ? { minutes: needed(totalMinutes), window: counting } : null,
    deadbandC: value.deadbandC || 0,
    deadbandPct: value.deadbandPct || 0,
  }
}

const isDirect = (channel: Channel) => channel === 'sms' || channel === 'chat'

export function recipientOf(line: RecipientValue): NewRecipient {
  const { kind, userId, rotaId, address, channels } = line
  const vouched = line.vouched ? ({ vouched: true } as const) : {}
  if (kind === 'user') return { userId: userId ?? '', channels: channels as 'app'[] }
  if (kind === 'rota') return { rotaId: rotaId ?? '', channels: channels as 'app'[] }
  if (kind === 'email') return { email: address.trim(), ...vouched }
  if (kind === 'webhook') return { webhook: address.trim(), ...vouched }
  return { phone: address.replace(/[\s()-]/g, ''), channels: channels.filter(isDirect) as 'sms'[], ...vouched }
}

/** The body that makes the alarm. */
export const newAlarmOf = (values: AlarmValues): NewAlarm => ({
  name: values.name.trim(),
  severity: values.severity,
  visibility: values.visibility,
  deviceIds: values.devices.map(({ id }) => id),
  groupIds: values.groups.map(({ id }) => id),
  recipients: values.recipients.map(recipientOf),
  escalation: values.escalates ? values.escalation.map(recipientOf) : [],
  escalateMinutes: values.escalates ? orNull(values.escalateMinutes) : null,
  reminderMinutes: values.reminds ? orNull(values.reminderMinutes) : null,
  notifyNormal: values.notifyNormal,
  schedule: values.isScheduled ? { ...values.schedule, days: values.schedule.days.toSorted((a, b) => a - b) } : null,
  rule: ruleOf(values),
})

/** The fields that the form changes. */
export function changeOf(values: AlarmValues, start: AlarmValues): Partial<NewAlarm> {
  const now = newAlarmOf(values)
  const change = differing(newAlarmOf(start), now)
  // The two are one setting.
  if ('escalation' in change || 'escalateMinutes' in change)
    Object.assign(change, { escalation: now.escalation, escalateMinutes: now.escalateMinutes })
  return change
}
