import type { Locale } from '@isotherm/contract/common.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import type { AlertTexts } from './alert-texts.ts'

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
}

export type Notice = FailureNotice | WalletNotice

/** Why a message was not delivered, in words. */
export const reasonText = (locale: Locale, reason: string): string =>
  /^[a-zA-Z]+$/.test(reason) ? translate(locale, `alerts:reasons.${reason}`) : reason

export const noticeTexts = (locale: Locale, notice: Notice): AlertTexts =>
  'wallet' in notice ? walletTexts(locale, notice) : failureTexts(locale, notice)

function failureTexts(locale: Locale, { channel, to, alarm, reason }: FailureNotice): AlertTexts {
  const say = (key: string, values: Record<string, unknown> = {}) => translate(locale, `alerts:notice.${key}`, values)
  const values = { channel: say(`channels.${channel}`), to, reason: reasonText(locale, reason) }
  const line = say('failed', values)
  const details = [line, ...(alarm ? [translate(locale, 'alerts:fact.alarm', { alarm })] : []), say('hint')]
  return { subject: say('subject', values), lead: line, line, placed: line, details }
}

function walletTexts(locale: Locale, { state, wallet, remaining }: WalletNotice): AlertTexts {
  const line = translate(locale, `notifications:wallet.${state}.${wallet}`, { count: remaining })
  return { subject: line, lead: line, line, placed: line, details: [line] }
}
