import { markTaken } from '../../core/alarms/alarm-queries.ts'
import { announce, type Line, type News, writeLines } from '../../core/alerts/notification-lines.ts'
import type { Client } from '../../platform/db/pool.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import { dispatchCrossings } from './crossings.ts'
import type { DispatchTools } from './dispatch-tools.ts'
import { messagesOf, recipientsOf } from './messages.ts'
import { readOnCall } from './on-call.ts'
import { dispatchOrderNotices } from './order-notices.ts'
import { withBrowsers } from './pushes.ts'
import { processIsolatingPoison, Quarantine } from './quarantine.ts'
import { alertOf, readAssignees, readEvents, readRecipients, type WaitingEvent } from './reading.ts'
import { sendUnpaid } from './send-unpaid.ts'
import { weighed } from './weighed.ts'
import { writeMessages } from './write-messages.ts'

const maxTaken = 2_000

/**
 * Takes the events, crossings and news of orders that wait and writes, in the same transaction, who hears of them: lines of the notification centre and
 * deliveries with their wallet units; then what found no units before. Nothing is told twice, whoever is killed when. Returns how many it took. `quarantine` keeps
 * from one call to the next what could not be told.
 */
export async function dispatch(
  tools: DispatchTools,
  quarantine = { events: new Quarantine(), crossings: new Quarantine(), orders: new Quarantine() },
) {
  const { log, now } = tools
  const events = await processIsolatingPoison({
    ...{ quarantine: quarantine.events, log, now: now(), maxTaken },
    take: (some, without, begin) => dispatchEvents(tools, some, without, begin),
  })
  const crossings = await dispatchCrossings(tools, quarantine.crossings)
  const orders = await dispatchOrderNotices(tools, quarantine.orders)
  return events + crossings + orders + (await sendUnpaid(tools))
}

async function dispatchEvents(
  tools: DispatchTools,
  some: number,
  without: string[],
  begin: (ids: readonly string[]) => void,
): Promise<number> {
  const done = await asPipeline(tools.pool, async ({ client, tx }) => {
    const events = await readEvents(client, some, without)
    begin(events.map(({ id }) => id))
    if (events.length === 0) return { count: 0, news: [] }
    const recipients = await withBrowsers(client, [
      ...(await readRecipients(client, events)),
      ...(await readAssignees(client, events)),
      ...(await readOnCall(client, events, tools.now())),
    ])
    const eventAlerts = events.map((event) => ({ event, alert: alertOf(event, tools.nearestTownName) }))
    const news = await writeNotifications(client, eventAlerts, recipients)
    const { publicUrl } = tools
    const messages = await weighed(
      tx,
      messagesOf(eventAlerts, recipients, { now: tools.now(), publicUrl }),
      tools.now(),
    )
    news.push(...(await writeMessages(client, messages, tools.now(), publicUrl)))
    await markTaken(
      tx,
      events.map(({ id }) => id),
      tools.now(),
    )
    return { count: events.length, news }
  })
  announce(tools.bus, done.news)
  return done.count
}

const kinds = {
  opened: 'alarmOpened',
  unsnoozed: 'alarmOpened',
  worsened: 'alarmOpened',
  normal: 'alarmNormal',
  reminder: 'alarmReminder',
  escalated: 'alarmEscalated',
  test: 'alarmTest',
  withdrawn: 'alarmWithdrawn',
  assigned: 'alarmAssigned',
} as const

/** Everybody in the alarm's lists finds it in the notification centre, once, whatever other channels they have. */
function writeNotifications(
  client: Client,
  eventAlerts: readonly { event: WaitingEvent; alert: object }[],
  recipients: Parameters<typeof recipientsOf>[1],
): Promise<News[]> {
  const lines = eventAlerts.flatMap(({ event, alert }) => {
    const people = new Set(recipientsOf(event, recipients).flatMap(({ userId }) => userId ?? []))
    return [...people].map(
      (userId): Line => ({
        company_id: event.companyId,
        user_id: userId,
        kind: kinds[event.kind],
        severity: isGood.has(event.kind) ? 'info' : event.severity,
        device_id: event.deviceId,
        alarm_id: event.alarmId,
        trigger_id: event.triggerId,
        params: alert,
        at: event.at,
      }),
    )
  })
  return writeLines(client, lines)
}
const isGood: ReadonlySet<string> = new Set(['normal', 'test', 'withdrawn'])
