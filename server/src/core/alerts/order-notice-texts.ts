import type { Locale } from '@isotherm/contract/common.ts'
import { writeTime } from '@isotherm/contract/times.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { writeDuration } from '../../platform/i18n/write-duration.ts'
import { type AlertTexts, limitText, valueText } from './alert-texts.ts'

/** By which a warning ended: the order was in time or the goods in range again, the stop was settled or snoozed, the order ended, the device was taken off it. */
export type OverBy = 'again' | 'settled' | 'snoozed' | 'ended' | 'taken'

interface OrderNotice {
  orderId: string
  /** The name of the receiver; `more` others are concerned, too. */
  receiver: string
  more: number
  /** The zone of the stop. */
  zone: string
  /** A town nearby; absent in lines of before. */
  place?: string | null
  /** The warnings that nobody acknowledged, and since when the first lasts; absent in what is told for the first time. */
  warningIds?: string[]
  warnedAt?: string
  /** It goes to the second recipients, after so many minutes; null: it reminds. */
  escalatedMinutes?: number | null
  /** It tells those to whom a warning was escalated that this is over. */
  overBy?: OverBy
  overAt?: string
}

/** That an order is late at a stop, or in time again. `lateOrder` is its code as people read it. */
export interface OrderLateNotice extends OrderNotice {
  lateOrder: string
  isOver?: boolean
  /** Instants. */
  expected: string
  due: string
}

/** That goods of an order are out of range, or back in it; `more` other devices are, too. `goodsOrder` is its code as people read it. */
export interface OrderGoodsNotice extends OrderNotice {
  goodsOrder: string
  isOver: boolean
  device: string
  /** As an alert has it, such as temperatureMax. */
  condition: string
  value: number | null
  limit: number | null
  /** An instant. */
  since: string
}

type Say = (key: string, values?: Record<string, unknown>) => string

/** The texts of a message about an order: its code and receiver first, then how late or warm, then the place. */
export function orderTexts(locale: Locale, notice: OrderLateNotice | OrderGoodsNotice): AlertTexts {
  const say: Say = (key, values = {}) => translate(locale, `orderTracking:notice.${key}`, values)
  const { place = null, receiver, more } = notice
  const opening = openingOf(locale, say, notice)
  const {
    head,
    rest,
    short = rest,
  } = 'lateOrder' in notice ? lateTexts(locale, say, notice) : goodsTexts(locale, say, notice)
  const order = {
    code: 'lateOrder' in notice ? notice.lateOrder : notice.goodsOrder,
    receiver: 'lateOrder' in notice && more > 0 ? say('others', { receiver, count: more }) : receiver,
  }
  const text = say('order', { ...order, text: head })
  const begun = opening === null ? text : say('again', { opening, text })
  const placed = place === null ? begun : say('place', { text: begun, place })
  const lead = say('then', { text: placed, rest })
  return { subject: placed, lead, line: say('then', { text: begun, rest: short }), placed: lead, details: [lead] }
}

/** How a message begins that tells of the same again. */
function openingOf(locale: Locale, say: Say, { zone, warnedAt, escalatedMinutes, overAt }: OrderNotice): string | null {
  if (overAt !== undefined) return say('over', { since: writeTime(locale, zone, new Date(overAt)) })
  if (warnedAt === undefined) return null
  return escalatedMinutes
    ? say('escalated', { time: writeDuration(locale, escalatedMinutes * 60_000) })
    : say('reminder', { since: writeTime(locale, zone, new Date(warnedAt)) })
}

interface Parts {
  head: string
  rest: string
  /** The same where signs cost money. */
  short?: string
}

function lateTexts(locale: Locale, say: Say, { expected, due, zone, isOver = false, overBy }: OrderLateNotice): Parts {
  const minutes = Math.max(1, Math.round((Date.parse(expected) - Date.parse(due)) / 60_000))
  const time = (at: string) => writeTime(locale, zone, new Date(at))
  if (overBy && overBy !== 'again') return { head: say(`overBy.${overBy}`), rest: say('due', { due: time(due) }) }
  return {
    head: isOver ? say('onTime') : say('late', { late: writeDuration(locale, minutes * 60_000) }),
    rest: say('times', { expected: time(expected), due: time(due) }),
    short: say('expected', { expected: time(expected) }),
  }
}

function goodsTexts(locale: Locale, say: Say, notice: OrderGoodsNotice): Parts {
  const { device, more, isOver, condition, value, limit, since, zone, overBy } = notice
  const values = {
    value: valueText(locale, { condition }, value),
    limit: limitText(locale, { condition, limit }),
    since: writeTime(locale, zone, new Date(since)),
    device: more > 0 ? say('devices', { device, count: more }) : device,
  }
  if (overBy && overBy !== 'again') return { head: say(`overBy.${overBy}`), rest: say('wasOut', values) }
  return { head: say(isOver ? 'inRange' : 'outOfRange', values), rest: say(isOver ? 'backSince' : 'since', values) }
}
