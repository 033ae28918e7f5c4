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
    const hearings = hearingsOf(
      notices.filter(({ isOver }) => !isOver),
      { readers, rotas },
      tools.nearestTownName,
      now,
    ).filter((hearing) => !isLeftOut(hearing, now))
    const news = await writeLines(client, hearings.map(lineOf))
    const browsersOf = await readBrowsers(client, readers)
    const messages = hearings.flatMap((hearing) =>
      hearing.isFirst
        ? [
            ...hearing.channels.flatMap((channel) => wayOf(hearing.reader, channel)),
            ...browsersOf(hearing.reader).map((address) => ({ channel: 'push', address }) as const),
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
  first: WaitingNotice
  notice: OrderLateNotice | OrderGoodsNotice
  /** It goes out by mail, SMS and chat, too. */
  isFirst: boolean
}

interface Audience {
  readers: readonly OrderReader[]
  rotas: readonly OrderRota[]
}

/** Those who hear of each order: the people and rotas whom the company chose, or where none of them may see it everybody who may, in the app. */
function hearingsOf(
  notices: readonly WaitingNotice[],
  { readers, rotas }: Audience,
  nearestTownName: DispatchTools['nearestTownName'],
  now: Date,
): Hearing[] {
  const groups = Map.groupBy(
    notices,
    ({ companyId, orderId, kind, at, warningId, escalatedMinutes }) =>
      `${companyId} ${orderId} ${kind} ${at} ${warningId !== null} ${escalatedMinutes}`,
  )
  return [...groups.values()].flatMap((group) => {
    const list = listOf(group)
    const onCall = onCallOf(group, list, rotas, now)
    const able = readers.flatMap((reader) => {
      const seen = group.filter(
        ({ companyId, isPrivate }) => companyId === reader.companyId && (reader.isAdmin || !isPrivate),
      )
      const hearing = hearingOf(reader, seen, nearestTownName)
      return hearing ? [hearing] : []
    })
    const chosen = able.flatMap((one) => {
      const { userId, chosen } = one.reader
      const channels = [...new Set([...(chosen[list] ?? []), ...(onCall.get(userId) ?? [])])]
      return channels.length > 0 ? [{ ...one, channels }] : []
    })
    return chosen.length > 0 ? chosen : able
  })
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
  return { reader, channels: [], first, notice, isFirst: fresh.length > 0 && !tellings[first.kind].isGood }
}

function noticeOf(
  one: WaitingNotice,
  all: readonly WaitingNotice[],
  place: string | null,
): OrderLateNotice | OrderGoodsNotice {
  const { orderId, receiver, zone, kind, detail, at, warnedAt, escalatedMinutes } = one
  const warningIds = all.flatMap(({ warningId }) => warningId ?? [])
  const again = warnedAt === null ? {} : { warningIds, warnedAt, escalatedMinutes }
  const about = { orderId, receiver, more: all.length - 1, zone, place, isOver: tellings[kind].isGood, ...again }
  const code = showTrackingCode(one.trackingCode)
  if (one.deviceId === null)
    return { ...about, lateOrder: code, expected: detail.expected ?? at, due: detail.due ?? at }
  const value = (centi: number | null) => (centi === null ? null : centi / 100)
  return {
    ...about,
    ...{ goodsOrder: code, device: one.device ?? '', value: value(one.value), limit: value(one.limit) },
    condition: `${detail.measure ?? 'temperature'}${detail.side === 'below' ? 'Min' : 'Max'}`,
    since: about.isOver ? at : (detail.since ?? at),
  }
}

const quietOf = ({ quietFrom, quietTo, timezone }: OrderReader, now: Date) =>
  quietUntil(quietFrom, quietTo, timezone, now)

/** Nobody is reminded in their quiet hours, and nothing of it is held for later: a night must not end in dozens of reminders. */
const isLeftOut = ({ reader, first }: Hearing, now: Date) =>
  first.warningId !== null && first.escalatedMinutes === null && quietOf(reader, now) !== null

const lineOf = ({ reader, first, notice }: Hearing): Line => ({
  ...{ company_id: reader.companyId, user_id: reader.userId, kind: tellings[first.kind].kind },
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
    event: tellings[first.kind].kind,
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
