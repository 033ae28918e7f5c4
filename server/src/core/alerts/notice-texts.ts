import type { Locale } from '@isotherm/contract/common.ts'
import { writeDate, writeTime } from '@isotherm/contract/times.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import type { AlertTexts } from './alert-texts.ts'
import { type OrderGoodsNotice, type OrderLateNotice, orderTexts } from './order-notice-texts.ts'

/** That a message did not arrive. `reason` is a key of `alerts:reasons`, or what the provider said. */
export interface FailureNotice {
  channel: string
  /** A person's name, or an address. */
  to: string
  alarm: string | null
  reason: string
}

/** That the units of a wallet run low, or have run out. */
export interface WalletNotice {
  state: 'low' | 'empty'
  wallet: 'sms' | 'chat'
  remaining: number
  /** So many units of critical alarms go out on a day all the same; left out: none. */
  overdraftPerDay?: number
}

/** That the provider answered a request; `title` is that of the request, `module` what a request for more was about. */
export interface SupportNotice {
  support: string
  title: string
  module: string | null
}

/** That a calibration is due soon, or is due; `calibration` is the number of its certificate, `dueOn` a day. */
export interface CalibrationNotice {
  calibration: string
  device: string
  dueOn: string
  isOver: boolean
}

/** That the cold treatment of a shipment is proven, or has to begin again; `number` is the shipment's in writing. */
export interface TreatmentNotice {
  treatment: 'proven' | 'interrupted'
  number: string
  shipmentId: string
  /** An instant, and the zone in which it is told. */
  at: string
  zone: string
}

/**
 * That an endpoint of webhooks gets nothing: `warned` for a day, disabled after five days, or because it answered that it is gone; `unsigned`: its
 * secrets cannot be opened.
 */
export interface WebhookNotice {
  webhook: 'warned' | 'failing' | 'gone' | 'unsigned'
  url: string
  endpointId: string
}

export type Notice =
  | FailureNotice
  | WalletNotice
  | SupportNotice
  | OrderLateNotice
  | OrderGoodsNotice
  | CalibrationNotice
  | TreatmentNotice
  | WebhookNotice

/** Whether a notice is about an order. */
export const isOfOrder = (notice: Notice): notice is OrderLateNotice | OrderGoodsNotice =>
  'lateOrder' in notice || 'goodsOrder' in notice

/** Why a message was not delivered, in words. */
export const reasonText = (locale: Locale, reason: string): string =>
  /^[a-zA-Z]+$/.test(reason) ? translate(locale, `alerts:reasons.${reason}`) : reason

export function noticeTexts(locale: Locale, notice: Notice): AlertTexts {
  if ('wallet' in notice) return walletTexts(locale, notice)
  if ('support' in notice) return ofOneLine(answeredText(locale, notice))
  if (isOfOrder(notice)) return orderTexts(locale, notice)
  if ('calibration' in notice) return ofOneLine(calibrationText(locale, notice))
  if ('treatment' in notice) return ofOneLine(treatmentText(locale, notice))
  if ('webhook' in notice) return ofOneLine(webhookText(locale, notice))
  return failureTexts(locale, notice)
}

const calibrationText = (locale: Locale, { calibration, device, dueOn, isOver }: CalibrationNotice): string =>
  translate(locale, isOver ? 'calibrations:notice.over' : 'calibrations:notice.soon', {
    ...{ device, number: calibration, day: writeDate(locale, 'UTC', new Date(`${dueOn}T00:00:00Z`)) },
  })

const treatmentText = (locale: Locale, { treatment, number, at, zone }: TreatmentNotice): string =>
  translate(locale, `coldTreatments:notice.${treatment}`, { number, at: writeTime(locale, zone, new Date(at)) })

const webhookText = (locale: Locale, { webhook, url }: WebhookNotice): string =>
  translate(locale, `webhooks:notice.${webhook}`, { host: URL.parse(url)?.host ?? url })

const ofOneLine = (line: string): AlertTexts => ({ subject: line, lead: line, line, placed: line, details: [line] })

/** That a request was answered, with its title or what it was about. */
export const answeredText = (locale: Locale, { title, module }: Omit<SupportNotice, 'support'>): string =>
  translate(locale, 'notifications:answered', {
    title: title || translate(locale, `support:categories.${module ?? 'other'}`),
  })

function failureTexts(locale: Locale, { channel, to, alarm, reason }: FailureNotice): AlertTexts {
  const say = (key: string, values: Record<string, unknown> = {}) => translate(locale, `alerts:notice.${key}`, values)
  const values = { channel: say(`channels.${channel}`), to, reason: reasonText(locale, reason) }
  const line = say('failed', values)
  const details = [line, ...(alarm ? [translate(locale, 'alerts:fact.alarm', { alarm })] : []), say('hint')]
  return { subject: say('subject', values), lead: line, line, placed: line, details }
}

function walletTexts(locale: Locale, { state, wallet, remaining, overdraftPerDay }: WalletNotice): AlertTexts {
  const key = overdraftPerDay ? 'overdraft' : state
  return ofOneLine(translate(locale, `notifications:wallet.${key}.${wallet}`, { count: overdraftPerDay ?? remaining }))
}
