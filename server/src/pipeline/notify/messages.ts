import { createHash } from 'node:crypto'
import { Locale } from '@isotherm/contract/common.ts'
import type { MailSubject } from '../../core/alerts/alert-mail.ts'
import { type Alert, type AlertTexts, alertTexts } from '../../core/alerts/alert-texts.ts'
import { isOfOrder, type Notice, noticeTexts } from '../../core/alerts/notice-texts.ts'
import { plainSigns, smsSegments } from '../../platform/messaging/sms-segments.ts'
import { quietUntil } from './quiet-hours.ts'
import { assigneeTier, type Recipient, type WaitingEvent } from './reading.ts'

export type OutwardChannel = 'mail' | 'sms' | 'chat' | 'webhook' | 'push'

/** The stored content of a message until it is sent; its words are made in the reader's language. */
export interface Payload {
  alerts: Alert[]
  /** Devices it tells of beyond those in `alerts`. */
  more: number
  deviceId: number | null
  /** The devices of `alerts`, in their order; messages of before have none. */
  deviceIds?: (number | null)[]
  triggerId: string | null
  timezone: string
  /** Where it tells of no trigger but of a message that failed, or of a wallet. */
  notice?: Notice
}

/** A message to one person or address by one channel. */
export interface Message {
  companyId: number
  key: string
  channel: OutwardChannel
  event: string
  alarmId: string | null
  userId: string | null
  address: string
  locale: Locale
  payload: Payload
  severity: 'warning' | 'critical'
  isTest: boolean
  state: 'queued' | 'held' | 'skipped'
  reason: string | null
  holdUntil: Date | null
  /** The price of its segments, each `weight`: more than one in some countries. */
  units: number
  weight: number
  triggerIds: string[]
  /** The number of devices it is about. */
  devices: number
}

/** Devices that one message names; of more it only says how many. */
export const maxListedFirings = 5

interface Circumstances {
  now: Date
  publicUrl: string
}

interface EventAlert {
  event: WaitingEvent
  alert: Alert
}

/**
 * The recipients of an event: those of escalation once it has come to that; the person alone to whom a trigger was assigned; of a
 * rota the one on call; of what is private who hears of that.
 */
export function recipientsOf(event: WaitingEvent, recipients: readonly Recipient[]): Recipient[] {
  const reached = ({ tier, userId }: Recipient) => {
    if (event.kind === 'assigned') return tier === assigneeTier && userId === event.toUser
    if (event.kind === 'escalated') return tier === 2
    if (later.has(event.kind)) return tier === 1 || event.isEscalated
    return tier === 1
  }
  const all = recipients.filter(
    (recipient) =>
      recipient.companyId === event.companyId &&
      recipient.alarmId === event.alarmId &&
      reached(recipient) &&
      (recipient.hearsPrivate || !event.isPrivate),
  )
  return all.filter((recipient) => isTurnOf(recipient, event, all))
}

/** Whether a recipient who is one of a rota is told: the first who can be; that something is over, those who were told of it. */
function isTurnOf({ rota, tier, userId }: Recipient, { toldIds }: WaitingEvent, all: readonly Recipient[]): boolean {
  if (!rota) return true
  const same = all.filter((other) => other.rota?.id === rota.id && other.tier === tier)
  const told = same.filter((other) => other.userId !== null && toldIds?.includes(other.userId))
  if (told.length > 0) return told.some((other) => other.userId === userId)
  return Number.isFinite(rota.rank) && rota.rank === Math.min(...same.map((other) => other.rota?.rank ?? 0))
}

// A follow-up goes to everybody who had the first message.
const later: ReadonlySet<string> = new Set(['normal', 'reminder', 'withdrawn'])

/** Grouping key for digests: the user id or the raw address; for web push, the subscription. */
export const recipientKey = (
  channel: string,
  { userId, address }: { userId: string | null; address: string | null },
): string => (channel === 'push' ? address : (userId ?? address)) ?? ''

const outward = (channel: string): channel is OutwardChannel => channel !== 'app'

/**
 * One message per person (or address) and channel for all events of a device; one for all devices where more than five have
 * something to tell at once.
 */
export function messagesOf(
  eventAlerts: readonly EventAlert[],
  recipients: readonly Recipient[],
  { now, publicUrl }: Circumstances,
): Message[] {
  const heard = new Map<string, { recipient: Recipient; channel: OutwardChannel; eventAlerts: EventAlert[] }>()
  for (const one of eventAlerts)
    for (const recipient of recipientsOf(one.event, recipients))
      for (const channel of recipient.channels.filter(outward)) {
        const key = `${one.event.companyId} ${channel} ${recipientKey(channel, recipient)} ${one.event.kind} ${isUnpaid(channel, one.event)}`
        const known = heard.get(key) ?? { recipient, channel, eventAlerts: [] }
        // A recipient who is named twice, by two alarms or in both lists, gets one message per trigger.
        if (
          !known.eventAlerts.some(
            ({ event }) =>
              event.id === one.event.id || (event.triggerId !== null && event.triggerId === one.event.triggerId),
          )
        )
          known.eventAlerts.push(one)
        heard.set(key, known)
      }
  return [...heard.values()].flatMap(({ recipient, channel, eventAlerts: all }) => {
    const devices = Map.groupBy(all, ({ event }) => event.deviceId ?? `alarm ${event.alarmId}`)
    if (devices.size <= maxListedFirings)
      return [...devices.values()].map((each) => messageOf(recipient, channel, each, 0, { now, publicUrl }))
    const named = [...devices.values()].slice(0, maxListedFirings).flatMap(([first]) => (first ? [first] : []))
    const digest = messageOf(recipient, channel, named, devices.size - maxListedFirings, { now, publicUrl })
    return [
      {
        ...digest,
        devices: devices.size,
        triggerIds: all.flatMap(({ event }) => event.triggerId ?? []),
        key: `${digest.key} +${devices.size}`,
      },
    ]
  })
}

function messageOf(
  recipient: Recipient,
  channel: OutwardChannel,
  eventAlerts: readonly EventAlert[],
  more: number,
  { now, publicUrl }: Circumstances,
): Message {
  const [first] = eventAlerts
  if (!first) throw new Error('a message tells of something')
  const { event } = first
  const isTest = event.kind === 'test'
  const severity = eventAlerts.some((one) => one.event.severity === 'critical') ? 'critical' : 'warning'
  const locale = Locale.catch('en').parse(recipient.locale)
  const isPhone = costs(channel)
  const address = isPhone && recipient.userId !== null ? recipient.phone : recipient.address
  const quiet =
    severity === 'critical' || isTest
      ? null
      : quietUntil(recipient.quietFrom, recipient.quietTo, recipient.timezone, now)
  const payload: Payload = {
    alerts: eventAlerts.map(({ alert }) => alert),
    more,
    deviceId: event.deviceId,
    deviceIds: eventAlerts.map((one) => one.event.deviceId),
    triggerId: event.triggerId,
    timezone: recipient.timezone,
  }
  return {
    companyId: event.companyId,
    key: shortened(
      event.kind,
      `${eventAlerts.map((one) => one.event.id).join('+')} ${channel} ${recipientKey(channel, recipient)}`,
    ),
    channel,
    event: event.kind,
    alarmId: event.alarmId,
    userId: recipient.userId,
    address: address ?? '',
    locale,
    payload,
    severity,
    isTest,
    ...(isUnpaid(channel, event) ? skipped('sample') : address ? (quiet ? held(quiet) : queued) : skipped('noAddress')),
    units: unitsOf({ channel, payload, locale, weight: 1 }, publicUrl),
    weight: 1,
    triggerIds: eventAlerts.flatMap((one) => one.event.triggerId ?? []),
    devices: 1,
  }
}

const costs = (channel: OutwardChannel) => channel === 'sms' || channel === 'chat'

/** Whether a message would cost units for a device whose readings are made up: it is not sent. */
const isUnpaid = (channel: OutwardChannel, { isSample = false }: WaitingEvent) => isSample && costs(channel)

// An index holds no key of any length, nor does a header: an address may have 2,000 signs, and events be many.
const maxCharacters = 100
const shortened = (kind: string, key: string) =>
  `${kind} ${Buffer.byteLength(key) <= maxCharacters ? key : createHash('sha256').update(key).digest('base64url')}`

const queued = { state: 'queued', reason: null, holdUntil: null } as const
const held = (until: Date) => ({ state: 'held', reason: 'quietHours', holdUntil: until }) as const
export const skipped = (reason: string) => ({ state: 'skipped', reason, holdUntil: null }) as const

export const textsOf = ({ alerts, timezone, more, notice }: Payload, locale: Locale): AlertTexts =>
  notice ? noticeTexts(locale, notice) : alertTexts(locale, timezone, alerts, more)

export function subjectOf({ alerts, notice }: Payload): MailSubject {
  if (notice) return isOfOrder(notice) ? 'order' : 'notice'
  return alerts[0]?.event === 'crossed' ? 'place' : 'alarm'
}

/** The page of the trigger a message tells of, or of all where it tells of more; of a crossing, the device on the map; of an order, the order. */
export function linkOf(payload: Payload, publicUrl: string): string {
  const { alerts, deviceId, triggerId, more, notice } = payload
  if (notice && isOfOrder(notice)) return `${publicUrl}/dispatch/order/${notice.orderId}`
  if (subjectOf(payload) === 'place') return `${publicUrl}/maps${deviceId === null ? '' : `?device=${deviceId}`}`
  return `${publicUrl}/alarms/triggered-alarms${triggerId && alerts.length + more === 1 ? `?trigger=${triggerId}` : ''}`
}

/**
 * An SMS: one line and the link, in signs that fit the default alphabet where the language's do. The place is in it where
 * that takes no segment more, so that what a text costs does not depend on it.
 */
export function smsText(payload: Payload, locale: Locale, publicUrl: string): string {
  const { line, placed } = textsOf(payload, locale)
  const [bare, full] = [line, placed].map((text) => `${plainSigns(text)} ${linkOf(payload, publicUrl)}`)
  return full !== undefined && smsSegments(full) <= smsSegments(bare ?? '') ? full : (bare ?? '')
}

/** A chat message: one line, with the place, and the link. */
export const chatText = (payload: Payload, locale: Locale, publicUrl: string): string =>
  `${textsOf(payload, locale).placed} ${linkOf(payload, publicUrl)}`

/** The price of a message: its weight for each segment of an SMS, or for a chat message. */
export const unitsOf = (
  { channel, payload, locale, weight }: Pick<Message, 'channel' | 'payload' | 'locale' | 'weight'>,
  publicUrl: string,
): number =>
  weight * (channel === 'sms' ? smsSegments(smsText(payload, locale, publicUrl)) : channel === 'chat' ? 1 : 0)
