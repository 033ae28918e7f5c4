import type { News } from '../../core/alerts/notification-lines.ts'
import { reserveUnits, topUp } from '../../core/wallet/wallet-queries.ts'
import type { Client } from '../../platform/db/pool.ts'
import { withoutSandboxes } from './in-sandbox.ts'
import { type Message, type Payload, recipientKey, unitsOf } from './messages.ts'
import { tellOfWallet } from './wallet.ts'

/** Messages to one person by one channel within a minute, beyond which the rest is gathered. */
const maxPerMinute = 5

const whomSql = `
cross join lateral (select case when d.channel = 'push' then d.address else coalesce(d.user_id::text, d.address) end as whom) w`
// Messages of the last minute to the same people by the same channels; held against being sent while they gather more.
const recentSql = `
select d.id, d.company_id as "companyId", d.channel, whom, d.event, d.state, d.reason,
  d.severity, d.units, d.weight, d.locale, d.alarm_id as "alarmId", d.payload, exists (select from deliveries n
    where n.company_id = d.company_id and n.created_at >= d.created_at and n.id > d.id and n.event = 'normal'
      and n.channel = d.channel and n.address = d.address and n.user_id is not distinct from d.user_id
      and n.payload -> 'deviceId' = d.payload -> 'deviceId') as "isOver"
from deliveries d ${whomSql}
where (d.company_id, d.channel, whom) in (select * from unnest($1::int4[], $2::text[], $3::text[]))
  and d.event in ('opened', 'crossed') and not d.is_test and d.state <> 'skipped' and d.created_at > $4::timestamptz - interval '1 minute'
order by d.id for no key update of d`
// Messages about a trigger that are not sent yet: they wait for quiet hours to end, or for the provider.
const unsentSql = `
select distinct d.company_id || ' ' || d.channel || ' ' || whom || ' ' || x.trigger_id as key
from delivery_triggers x join deliveries d on d.company_id = x.company_id and d.id = x.delivery_id ${whomSql}
where (x.company_id, x.trigger_id) in (select * from unnest($1::int4[], $2::int8[]))
  and d.event not in ('normal', 'withdrawn') and d.state in ('held', 'queued', 'sending')`

export type Recent = Pick<
  Message,
  'companyId' | 'channel' | 'event' | 'severity' | 'units' | 'weight' | 'locale' | 'alarmId'
> & {
  /** Null until it is written. */
  id: string | null
  whom: string
  state: string
  reason: string | null
  payload: Payload
  /** They heard since that it is over. */
  isOver: boolean
  /** Where it is not written yet. */
  message?: Message
}

interface Plan {
  inserts: Message[]
  links: { companyId: number; id: string; triggerIds: readonly string[] }[]
  /** Held ones, written before, that gathered more. */
  gathered: Set<Recent>
}

const keyOf = (one: Pick<Message, 'companyId' | 'channel' | 'event'>, whom: string) =>
  `${one.companyId} ${one.channel} ${one.event} ${whom}`

/**
 * Writes messages with what they tell of and the units they reserve. What concerns a device somebody was told of within the
 * minute is not told again; of very many to one person the rest is gathered in one that is held for a minute.
 */
export async function writeMessages(
  client: Client,
  all: readonly Message[],
  now: Date,
  publicUrl: string,
): Promise<News[]> {
  const messages = await withoutRepeats(client, await withoutSandboxes(client, all))
  if (messages.length === 0) return []
  const plan = planOf(messages, await readRecent(client, messages, now), now, publicUrl)
  const inserted = await insert(client, plan.inserts, now)
  await link(client, [
    ...plan.links,
    ...inserted.map(({ id, message }) => ({ companyId: message.companyId, id, triggerIds: message.triggerIds })),
  ])
  const news = await pay(client, inserted, now)
  for (const one of plan.gathered) await rewrite(client, one, publicUrl)
  return news
}

/** Without reminders of what somebody was not even sent yet: a night of quiet hours must not end in dozens of them. */
async function withoutRepeats(client: Client, messages: readonly Message[]): Promise<readonly Message[]> {
  const reminders = messages.filter(({ event }) => event === 'reminder')
  const about = reminders.flatMap(({ companyId, triggerIds }) => triggerIds.map((id) => [companyId, id] as const))
  if (about.length === 0) return messages
  const values = [about.map(([company]) => company), about.map(([, id]) => id)]
  const unsent = new Set((await client.query<{ key: string }>(unsentSql, values)).rows.map(({ key }) => key))
  const isRepeat = (one: Message) =>
    one.event === 'reminder' &&
    one.triggerIds.every((id) => unsent.has(`${one.companyId} ${one.channel} ${recipientKey(one.channel, one)} ${id}`))
  return messages.filter((one) => !isRepeat(one))
}

async function readRecent(client: Client, messages: readonly Message[], now: Date): Promise<Recent[]> {
  const groupable = messages.filter(isGroupable)
  if (groupable.length === 0) return []
  const whom = [...new Map(groupable.map((one) => [keyOf(one, recipientKey(one.channel, one)), one])).values()]
  const values = [
    whom.map((one) => one.companyId),
    whom.map((one) => one.channel),
    whom.map((one) => recipientKey(one.channel, one)),
    now,
  ]
  return (await client.query<Recent>(recentSql, values)).rows
}

const isGroupable = ({ event, state }: Message) => (event === 'opened' || event === 'crossed') && state !== 'skipped'

export function planOf(messages: readonly Message[], recent: readonly Recent[], now: Date, publicUrl: string): Plan {
  const known = Map.groupBy(recent, (one) => keyOf(one, one.whom))
  const plan: Plan = { inserts: [], links: [], gathered: new Set() }
  const join = (to: Recent, { companyId, triggerIds }: Message) => {
    if (to.message) to.message.triggerIds.push(...triggerIds)
    else if (to.id) plan.links.push({ companyId, id: to.id, triggerIds })
  }
  for (const message of messages) {
    if (!isGroupable(message)) {
      plan.inserts.push(message)
      continue
    }
    const key = keyOf(message, recipientKey(message.channel, message))
    const before = known.get(key) ?? []
    const covering = before.find((one) => isCoveredBy(one, message))
    const gathering = before.find(({ state, reason }) => state === 'held' && reason === 'storm')
    if (covering) join(covering, message)
    else if (gathering) {
      join(gathering, message)
      gathering.payload.more += message.devices
      if (gathering.message) gathering.message.units = unitsOf(gathering.message, publicUrl)
      else plan.gathered.add(gathering)
    } else {
      const isTooMany = before.length >= maxPerMinute && message.state === 'queued'
      const own: Message = isTooMany
        ? { ...message, state: 'held', reason: 'storm', holdUntil: new Date(now.getTime() + 60_000) }
        : message
      plan.inserts.push(own)
      known.set(key, [
        ...before,
        { ...own, id: null, whom: recipientKey(own.channel, own), isOver: false, message: own },
      ])
    }
  }
  return plan
}

const isCoveredBy = ({ event, payload, severity, isOver }: Recent, message: Message) =>
  event === 'opened' &&
  !isOver &&
  payload.deviceId === message.payload.deviceId &&
  (severity === 'critical' || message.severity === 'warning')

const insertSql = `
insert into deliveries (company_id, key, channel, event, alarm_id, user_id, address, locale, payload, severity, is_test, state,
  reason, units, weight, next_at, created_at)
select "companyId", key, channel, event, "alarmId", "userId", address, locale, payload, severity, "isTest", state, reason, units, weight,
  case when state <> 'skipped' then coalesce("holdUntil", $2) end, $2
from jsonb_to_recordset($1::jsonb) as m ("companyId" int4, key text, channel text, event text, "alarmId" int8, "userId" int8,
  address text, locale text, payload jsonb, severity text, "isTest" bool, state text, reason text, units int4, weight int4, "holdUntil" timestamptz)
on conflict (company_id, key) do nothing returning id, company_id as "companyId", key`

interface Inserted {
  id: string
  message: Message
}

async function insert(client: Client, messages: readonly Message[], now: Date): Promise<Inserted[]> {
  if (messages.length === 0) return []
  const known = new Map(messages.map((message) => [`${message.companyId} ${message.key}`, message]))
  const { rows } = await client.query<{ id: string; companyId: number; key: string }>(insertSql, [
    JSON.stringify(messages),
    now,
  ])
  return rows.flatMap(({ id, companyId, key }) => {
    const message = known.get(`${companyId} ${key}`)
    return message ? [{ id, message }] : []
  })
}

async function link(client: Client, links: Plan['links']) {
  const rows = links.flatMap(({ companyId, id, triggerIds }) => triggerIds.map((trigger) => [companyId, id, trigger]))
  if (rows.length === 0) return
  await client.query(
    `insert into delivery_triggers (company_id, delivery_id, trigger_id)
     select * from unnest($1::int4[], $2::int8[], $3::int8[]) on conflict do nothing`,
    [rows.map(([company]) => company), rows.map(([, id]) => id), rows.map(([, , trigger]) => trigger)],
  )
}

/** The events of an alarm for which a critical one goes out with an empty wallet, and after it was filled. */
export const firings: ReadonlySet<string> = new Set(['opened', 'unsnoozed', 'worsened', 'escalated'])

/** Reserves units in the order of the messages; those there are none left for are skipped. They keep the instant that they were held until. */
async function pay(client: Client, inserted: readonly Inserted[], now: Date): Promise<News[]> {
  const news: News[] = []
  const costly = inserted.filter(({ message }) => message.units > 0 && message.state !== 'skipped')
  const byWallet = Map.groupBy(costly, ({ message }) => `${message.companyId} ${message.channel}`)
  // In one order everywhere: two notifiers that lock the same wallets must not wait for each other.
  for (const [, all] of [...byWallet].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [first] = all
    if (!first) continue
    const wanted = all.map(({ id, message: { units, alarmId, ...message } }) => ({
      ...{ deliveryId: id, units, alarmId },
      mayOverdraw: message.severity === 'critical' && !message.isTest && firings.has(message.event),
    }))
    const { companyId } = first.message
    const { unpaid, left, overdraftPerDay } = await reserveUnits(client, first.message, wanted, now)
    if (unpaid.length > 0)
      await client.query(
        `update deliveries set state = 'skipped', reason = 'walletEmpty', units = 0
         where company_id = $1 and id = any($2::int8[])`,
        [companyId, unpaid],
      )
    news.push(...(await tellOfWallet(client, first.message, unpaid.length > 0 || left < 0, overdraftPerDay, now)))
  }
  return news
}

/** Writes how many more devices a held message will tell of, where its units suffice for what that adds to its text. */
async function rewrite(client: Client, one: Recent, publicUrl: string) {
  const { companyId, channel, id, payload } = one
  const units = unitsOf(one, publicUrl)
  if (units > one.units && !(await topUp(client, { companyId, channel }, units - one.units))) return
  await client.query(
    `update deliveries set payload = jsonb_set(payload, '{more}', to_jsonb($3::int4)), units = greatest(units, $4)
     where company_id = $1 and id = $2 and state = 'held'`,
    [companyId, id, payload.more, units],
  )
}
