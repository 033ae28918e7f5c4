import type { Locale } from '@isotherm/contract/common.ts'
import { writeMoney } from '@isotherm/contract/money.ts'
import { timeFormat, writeDate, writtenIn } from '@isotherm/contract/times.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { planName } from '../provider/default-plans.ts'

/** Money, with tax. */
interface Charged {
  plan: string
  amount: number
  currency: string
}

interface WithCard {
  /** "Visa 4081" */
  card: string
}

/** The facts that people are told of plans, payments and licences. Instants are ISO 8601. */
export type BillingNotice =
  | ({ what: 'soon'; at: string; before: number | null; cardEnds: string | null } & Charged & WithCard)
  | ({ what: 'soonByHand'; at: string; before: number | null } & Charged)
  | { what: 'ends'; plan: string; at: string }
  | ({ what: 'failed'; reason: string | null; again: string | null; until: string } & Charged & WithCard)
  | ({ what: 'payer'; until: string } & Charged & WithCard)
  | ({ what: 'owed'; until: string } & Charged)
  | ({ what: 'lastWarning'; at: string } & Charged)
  | { what: 'expired'; plan: string; payableUntil: string | null }
  | { what: 'cancelled'; plan: string; at: string }
  | { what: 'paid'; amount: number; currency: string; serial: string }
  | ({ what: 'topUpFailed'; amount: number; currency: string; reason: string | null } & WithCard)
  | ({ what: 'cardEnds'; month: string } & WithCard)
  | { what: 'disputeOpen' | 'disputeWon' | 'disputeLost'; amount: number; currency: string; reference: string }
  | { what: 'trialEnds'; at: string }
  | { what: 'keyEnds'; at: string; hint: string; count: number }
  /** From `at` on readings older than `months` go: on that day those from before `from`. */
  | { what: 'retentionShrinks'; at: string; from: string; months: number }
  | { what: 'retentionStays' }

/** In one language: what a line of the notification centre says, and what a mail says beside it. */
export interface BillingTexts {
  subject: string
  line: string
  details: string[]
  action: { name: string; path: string }
}

const pathOf = {
  plan: '/subscription/devices',
  pay: '/subscription/devices',
  invoice: '/subscription/invoices',
  licence: '/subscription/licences',
  units: '/wallet/settings',
  cards: '/subscription/cards',
  reports: '/reports',
}

const actionOf: Record<BillingNotice['what'], keyof typeof pathOf> = {
  ...{ soon: 'plan', soonByHand: 'pay', ends: 'plan', failed: 'plan', payer: 'pay', owed: 'pay' },
  ...{
    lastWarning: 'pay',
    expired: 'pay',
    cancelled: 'plan',
    paid: 'invoice',
    topUpFailed: 'units',
    cardEnds: 'cards',
    disputeOpen: 'invoice',
    disputeWon: 'invoice',
    disputeLost: 'invoice',
    trialEnds: 'plan',
    keyEnds: 'licence',
    retentionShrinks: 'reports',
    retentionStays: 'plan',
  },
}

export function billingTexts(locale: Locale, zone: string, notice: BillingNotice): BillingTexts {
  const money = (amount: number, currency: string) => writeMoney(writtenIn[locale], amount, currency)
  const date = (at: string) => writeDate(locale, zone, new Date(at))
  const month = (at: string) => timeFormat(locale, 'UTC', { month: 'long', year: 'numeric' }).format(new Date(at))
  const values = {
    ...notice,
    plan: 'plan' in notice ? planName(locale, notice.plan) : '',
    amount: 'amount' in notice ? money(notice.amount, notice.currency) : '',
    date: 'at' in notice ? date(notice.at) : '',
    from: 'from' in notice ? date(notice.from) : '',
    month: 'month' in notice ? month(notice.month) : '',
  }
  const detail = (key: string, more: Record<string, string> = {}) =>
    translate(locale, `renewals:detail.${key}`, { ...values, ...more })
  const action = actionOf[notice.what]
  return {
    subject: translate(locale, `renewals:${notice.what}.subject`, values),
    line: translate(locale, `renewals:${notice.what}.line`, values),
    details: detailsOf(notice),
    action: { name: translate(locale, `renewals:action.${action}`), path: pathOf[action] },
  }

  function detailsOf(of: BillingNotice): string[] {
    switch (of.what) {
      case 'soon':
        return [
          ...(of.before === null ? [] : [detail('price', { before: money(of.before, of.currency) })]),
          ...(of.cardEnds ? [detail('cardEnds', { month: month(of.cardEnds) })] : []),
        ]
      case 'soonByHand':
        return of.before === null ? [] : [detail('price', { before: money(of.before, of.currency) })]
      case 'failed':
        return [
          ...(of.reason ? [detail('reason', { reason: of.reason })] : []),
          of.again ? detail('again', { date: date(of.again) }) : detail('never'),
          detail('until', { date: date(of.until) }),
        ]
      case 'payer':
      case 'owed':
        return [detail('until', { date: date(of.until) })]
      case 'ends':
      case 'lastWarning':
        return [detail('stops'), detail('goesOn')]
      case 'expired':
        return [
          ...(of.payableUntil ? [detail('late', { date: date(of.payableUntil) })] : []),
          detail('stops'),
          detail('goesOn'),
        ]
      case 'cancelled':
        return [detail('noCharge'), detail('goesOn')]
      case 'topUpFailed':
        return [...(of.reason ? [detail('reason', { reason: of.reason })] : []), detail('topUp')]
      case 'cardEnds':
        return [detail('newCard')]
      case 'disputeOpen':
      case 'disputeWon':
      case 'disputeLost':
        return [detail('disputed')]
      case 'trialEnds':
        return [detail('trial'), detail('stops'), detail('goesOn')]
      case 'keyEnds':
        return [detail('newKey'), detail('devices')]
      case 'retentionShrinks':
        return [detail('held'), detail('copy')]
      case 'paid':
      case 'retentionStays':
        return []
    }
  }
}
