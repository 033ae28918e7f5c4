import { Locale } from '@isotherm/contract/common.ts'
import type { NotificationKind } from '@isotherm/contract/notifications.ts'
import { hearerAt } from '../../core/alarms/rota-sql.ts'
import { announce, type Line, writeLines } from '../../core/alerts/notification-lines.ts'
import type { OrderGoodsNotice, OrderLateNotice } from '../../core/alerts/order-notice-texts.ts'
import { setNoticesTaken } from '../../core/orders/notice-queries.ts'
import { showTrackingCode } from '../../domain/tracking-code.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import type { DispatchTools } from './dispatch-tools.ts'
import { type Message, type OutwardChannel, type Payload, recipientKey, skipped, unitsOf } from './messages.ts'
import {
  type OrderNoticeKind,
  type OrderReader,
  type OrderRota,
  type ReaderList,
  readNotices,
  readOrderReaders,
  readOrderRotas,
  type WaitingNotice,
} from './order-reading.ts'
import { readTold, type ToldWay } from './order-told.ts'
import { readBrowsers } from './pushes.ts'
import { processIsolatingPoison, Quarantine } from './quarantine.ts'
import { quietUntil } from './quiet-hours.ts'
import { weighed } from './weighed.ts'
import { writeMessages } from './write-messages.ts'

const maxTaken = 500

interface Telling {
  kind: NotificationKind & ('orderLate' | 'orderOnTime' | 'orderOutOfRange' | 'orderInRange')
  /** The list of people who hear of it. */
  list: 'late' | 'outOfRange'
  /** It goes to the app only. */
  isGood: boolean
}
const tellings: Record<OrderNoticeKind, Telling> = {
  late: { kind: 'orderLate', list: 'late', isGood: false },
  onTime: { kind: 'orderOnTime', list: 'late', isGood: true },
  outOfRange: { kind: 'orderOutOfRange', list: 'outOfRange', isGood: false },
  inRange: { kind: 'orderInRange', list: 'outOfRange', isGood: true },
}

/** Says who hears of news of orders: lines of the notification centre, and messages to those whom the company chose. */
export const dispatchOrderNotices = (tools: DispatchTools, quarantine = new Quarantine()): Promise<number> =>
  processIsolatingPoison({
    ...{ quarantine, log: tools.log, now: tools.now(), maxTaken },
    take: (some, without, begin) => take(tools, some, without, begin),
  })

async function take(tools: DispatchTools, some: number, without: string[], begin: (ids: readonly string[]) => void) {
  const now = tools.now()
  const done = await asPipeline(tools.pool, async ({ client, tx }) => {
    const notices = await readNotices(client, some, without, now)
    const ids = notices.map(({ id }) => id)
    begin(ids)
    if (notices.length === 0) return { count: 0, news: [] }
    const companyIds = [...new Set(notices.map(({ companyId }) => companyId))]
    const readers = await readOrderReaders(client, companyIds)
    const rotas = await readOrderRotas(client, companyIds)
    const told = await readTold(
      client,
      notices.flatMap(({ overBy, warningId }) => (overBy && warningId) ?? []),
    )
    const hearings = hearingsOf(
      notices.filter(({ isOver }) => !isOver),
      { readers, rotas, told },
      tools.nearestTownName,
      now,
    ).filter((hearing) => !isLeftOut(hearing, now))
    const news = await writeLines(client, hearings.filter(({ isKnown }) => !isKnown).map(lineOf))
    const browsersOf = await readBrowsers(client, readers)
    const messages = hearings.flatMap((hearing) =>
      hearing.isFirst
        ? [
            ...hearing.channels.flatMap((channel) => wayOf(hearing.reader, channel)),
            ...browsersOf(hearing.reader)
              .filter((address) => hearing.browsers?.has(address) ?? true)
              .map((address) => ({ channel: 'push', address }) as const),
          ].map((way) => messageOf(hearing, way, now, tools.publicUrl))
        : [],
    )
    news.push(...(await writeMessages(client, await weighed(tx, messages, now), now, tools.publicUrl)))
    await setNoticesTaken(tx, ids, now)
    return { count: notices.length, news }
  })
  announce(tools.bus, done.news)
  return done.count
}

/** A person, and what they hear of one order at once. */
interface Hearing {
  reader: OrderReader
  channels: readonly string[]
  /** The only browsers that get it; null: all of them. */
  browsers: ReadonlySet<string> | null
  first: WaitingNotice
  notice: OrderLateNotice | OrderGoodsNotice
  /** It goes out by mail, SMS and chat, too. */
  isFirst: boolean
  /** They hear the same in the app as one of the first recipients. */
  isKnown: boolean
}

interface Audience {
  readers: readonly OrderReader[]
  rotas: readonly OrderRota[]
  told: readonly ToldWay[]
}

/**
 * Those who hear of each order: the people and rotas whom the company chose, or where none of them may see it everybody who may, in the app; that
 * an escalated warning is over, whoever was told of that.
 */
function hearingsOf(
  notices: readonly WaitingNotice[],
  { readers, rotas, told }: Audience,
  nearestTownName: DispatchTools['nearestTownName'],
  now: Date,
): Hearing[] {
  const groups = Map.groupBy(
    notices,
    ({ companyId, orderId, kind, at, warningId, escalatedMinutes, overBy }) =>
      `${companyId} ${orderId} ${kind} ${at} ${warningId !== null} ${escalatedMinutes} ${overBy}`,
  )
  return [...groups.values()].flatMap((group) => {
    const list = listOf(group)
    const onCall = onCallOf(group, list, rotas, now)
    const able = readers.flatMap((reader) => hearingOf(reader, seenBy(reader, group), nearestTownName) ?? [])
    const chosen = able.flatMap((one) => {
      const { userId, chosen } = one.reader
      const channels = [...new Set([...(chosen[list] ?? []), ...(onCall.get(userId) ?? [])])]
      return channels.length > 0 ? [{ ...one, channels }] : []
    })
    const hearers = chosen.length > 0 ? chosen : able
    if (!group[0]?.overBy) return hearers
    const firsts = new Set(hearers.map(({ reader }) => reader.userId))
    return readers.flatMap((reader) => {
      const ways = told.filter(({ companyId, userId }) => companyId === reader.companyId && userId === reader.userId)
      const own = seenBy(reader, group).filter(({ warningId }) => ways.some((way) => way.warningId === warningId))
      const one = hearingOf(reader, own, nearestTownName)
      return one
        ? [{ ...one, ...waysOf(own, ways), isKnown: one.first.overBy === 'again' && firsts.has(reader.userId) }]
        : []
    })
  })
}

const seenBy = ({ companyId, isAdmin }: OrderReader, group: readonly WaitingNotice[]) =>
  group.filter((notice) => notice.companyId === companyId && (isAdmin || !notice.isPrivate))

/** The ways by which somebody was told that warnings were escalated. */
function waysOf(notices: readonly WaitingNotice[], ways: readonly ToldWay[]): Pick<Hearing, 'channels' | 'browsers'> {
  const own = ways.filter((way) => notices.some(({ warningId }) => warningId === way.warningId))
  return {
    channels: [...new Set(own.map(({ channel }) => channel))],
    browsers: new Set(own.flatMap(({ channel, address }) => (channel === 'push' && address ? [address] : []))),
  }
}

function listOf([first]: readonly WaitingNotice[]): ReaderList {
  const { list } = tellings[first?.kind ?? 'late']
  return (first?.escalatedMinutes ?? null) === null ? list : `${list}Escalation`
}

/** The channels of those who are on call now in the rotas of a list, by person; of private devices those hear who may. */
function onCallOf(group: readonly WaitingNotice[], list: ReaderList, rotas: readonly OrderRota[], now: Date) {
  const channelsOf = new Map<string, string[]>()
  const own = rotas.filter((rota) => rota.companyId === group[0]?.companyId && rota.list === list)
  for (const { plan, channels } of own)
    for (const isPrivate of new Set(group.map((notice) => notice.isPrivate))) {
      const hearer = hearerAt(plan, now, isPrivate, 'orders')
      if (hearer) channelsOf.set(hearer.id, [...(channelsOf.get(hearer.id) ?? []), ...channels])
    }
  return channelsOf
}

function hearingOf(
  reader: OrderReader,
  seen: readonly WaitingNotice[],
  nearestTownName: DispatchTools['nearestTownName'],
): Hearing | null {
  const fresh = seen.filter(({ isRepeat }) => !isRepeat)
  const [first] = fresh.length > 0 ? fresh : seen
  if (!first) return null
  const { lat, lon } = first.position ?? {}
  const place = lat === undefined || lon === undefined ? null : nearestTownName(lat, lon)
  const notice = noticeOf(first, fresh.length > 0 ? fresh : seen, place)
  const isFirst = fresh.length > 0 && (!tellings[first.kind].isGood || first.overBy !== null)
  return { reader, channels: [], browsers: null, first, notice, isFirst, isKnown: false }
}

function noticeOf(
  one: WaitingNotice,
  all: readonly WaitingNotice[],
  place: string | null,
): OrderLateNotice | OrderGoodsNotice {
  const { orderId, receiver, zone, kind, detail, at, warnedAt, escalatedMinutes, overBy } = one
  const warningIds = all.flatMap(({ warningId }) => warningId ?? [])
  const again = overBy ? { overBy, overAt: at } : warnedAt === null ? {} : { warningIds, warnedAt, escalatedMinutes }
  const about = { orderId, receiver, more: all.length - 1, zone, place, isOver: tellings[kind].isGood, ...again }
  const code = showTrackingCode(one.trackingCode)
  if (one.deviceId === null)
    return { ...about, lateOrder: code, expected: detail.expected ?? at, due: detail.due ?? at }
  const value = (centi: number | null) => (centi === null ? null : centi / 100)
  return {
    ...about,
    ...{ goodsOrder: code, device: one.device ?? '', value: value(one.value), limit: value(one.limit) },
    condition: `${detail.measure ?? 'temperature'}${detail.side === 'below' ? 'Min' : 'Max'}`,
    since: about.isOver && (overBy ?? 'again') === 'again' ? at : (detail.since ?? at),
  }
}

const quietOf = ({ quietFrom, quietTo, timezone }: OrderReader, now: Date) =>
  quietUntil(quietFrom, quietTo, timezone, now)

/** Nobody is reminded in their quiet hours, and nothing of it is held for later: a night must not end in dozens of reminders. */
const isLeftOut = ({ reader, first }: Hearing, now: Date) =>
  first.warningId !== null && first.escalatedMinutes === null && first.overBy === null && quietOf(reader, now) !== null

/** The kind of a line and of messages: of a warning that ended otherwise than by itself, that of the warning. */
const kindOf = ({ kind, overBy }: WaitingNotice): Telling['kind'] =>
  (overBy ?? 'again') === 'again' ? tellings[kind].kind : kind === 'onTime' ? 'orderLate' : 'orderOutOfRange'

const lineOf = ({ reader, first, notice }: Hearing): Line => ({
  ...{ company_id: reader.companyId, user_id: reader.userId, kind: kindOf(first) },
  severity: tellings[first.kind].isGood ? 'info' : 'warning',
  ...{ device_id: first.deviceId, alarm_id: null, trigger_id: null, params: notice, at: first.at },
})

interface Way {
  channel: OutwardChannel
  address: string | null
}

function wayOf({ email, phone }: OrderReader, channel: string): Way[] {
  if (channel === 'mail') return [{ channel, address: email }]
  return channel === 'sms' || channel === 'chat' ? [{ channel, address: phone }] : []
}

function messageOf(
  { reader, first, notice }: Hearing,
  { channel, address }: Way,
  now: Date,
  publicUrl: string,
): Message {
  const { companyId, userId, timezone } = reader
  const quiet = quietOf(reader, now)
  const locale = Locale.catch('en').parse(reader.locale)
  const { deviceId } = first
  const payload: Payload = { alerts: [], more: 0, deviceId, deviceIds: [deviceId], triggerId: null, timezone, notice }
  return {
    ...{ companyId, channel, alarmId: null, userId, address: address ?? '', locale, payload },
    key: `order ${first.id} ${channel} ${recipientKey(channel, { userId, address })}`,
    event: kindOf(first),
    severity: 'warning',
    isTest: false,
    ...(!address
      ? skipped('noAddress')
      : quiet
        ? { state: 'held', reason: 'quietHours', holdUntil: quiet }
        : { state: 'queued', reason: null, holdUntil: null }),
    units: unitsOf({ channel, payload, locale, weight: 1 }, publicUrl),
    weight: 1,
    triggerIds: [],
    devices: 1,
  }
}
