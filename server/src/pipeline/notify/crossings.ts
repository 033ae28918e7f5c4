import { Locale } from '@isotherm/contract/common.ts'
import type { Alert } from '../../core/alerts/alert-texts.ts'
import { announce, type Line, writeLines } from '../../core/alerts/notification-lines.ts'
import { hiddenFromText } from '../../core/visibility/visibility.ts'
import type { Client } from '../../platform/db/pool.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import type { DispatchTools } from './dispatch-tools.ts'
import { type Message, maxListedFirings, type OutwardChannel, recipientKey } from './messages.ts'
import { readBrowsers } from './pushes.ts'
import { processIsolatingPoison, Quarantine } from './quarantine.ts'
import { quietUntil } from './quiet-hours.ts'
import { writeMessages } from './write-messages.ts'

const maxTaken = 500

interface Crossed {
  id: string
  companyId: number
  deviceId: number
  direction: 'in' | 'out'
  at: string
  late: boolean
  names: { device: string; fence: string }
  position: { lat: number; lon: number } | null
  isPrivate: boolean
  /** By a licence that lapsed. */
  isHidden: boolean
}

const waitingSql = () => `
select c.id, c.company_id as "companyId", c.device_id as "deviceId", c.direction, to_json(c.at) #>> '{}' as at, c.late, c.names,
  c.position, d.visibility = 'private' as "isPrivate",
  coalesce(${hiddenFromText('d')} <= $2::timestamptz, false) as "isHidden"
from place_crossings c join devices d on d.company_id = c.company_id and d.id = c.device_id
where c.taken_at is null and c.id <> all($3::int8[]) order by c.id limit $1 for update of c skip locked`

interface Person {
  companyId: number
  userId: string
  email: string
  isAdmin: boolean
  locale: string
  timezone: string
  wantsMail: boolean
  quietFrom: string | null
  quietTo: string | null
}

// People who may see devices.
const peopleSql = `
select u.company_id as "companyId", u.id as "userId", u.email, u.role = 'admin' as "isAdmin", u.locale, u.timezone,
  coalesce(s.place_mail, false) as "wantsMail", s.quiet_from as "quietFrom", s.quiet_to as "quietTo"
from users u
left join role_permissions p on p.company_id = u.company_id and p.role = u.role and u.role <> 'admin'
left join notification_settings s on s.company_id = u.company_id and s.user_id = u.id
where u.company_id = any($1::int4[]) and u.archived_at is null and u.status = 'active'
  and coalesce((p.matrix -> 'devices' ->> 'view')::bool, true)
order by u.id`

/** Tells of devices that came into places or went out of them: in-app to all who may see them, by mail and push to those who want them. */
export const dispatchCrossings = (tools: DispatchTools, quarantine = new Quarantine()): Promise<number> =>
  processIsolatingPoison({
    ...{ quarantine, log: tools.log, now: tools.now(), maxTaken },
    take: (some, without, begin) => take(tools, some, without, begin),
  })

async function take(tools: DispatchTools, some: number, without: string[], begin: (ids: readonly string[]) => void) {
  const now = tools.now()
  const done = await asPipeline(tools.pool, async ({ client }) => {
    const values = [some, now, without]
    const { rows } = await client.query<Crossed>({ name: 'waiting_crossings', text: waitingSql(), values })
    begin(rows.map(({ id }) => id))
    if (rows.length === 0) return { count: 0, news: [] }
    const people = await readPeople(client, rows)
    const crossings = rows
      .filter(({ isHidden }) => !isHidden)
      .map((crossed) => ({ crossed, alert: alertOf(crossed, tools.nearestTownName) }))
    const perPerson = people.map((person) => ({
      person,
      crossings: crossings.filter(({ crossed }) => canSee(person, crossed)),
    }))
    const news = await writeLines(client, perPerson.flatMap(linesOf))
    const browsersOf = await readBrowsers(client, people)
    const messages = perPerson.flatMap((one) =>
      [
        ...(one.person.wantsMail ? [{ channel: 'mail', address: one.person.email } as const] : []),
        ...browsersOf(one.person).map((address) => ({ channel: 'push', address }) as const),
      ].flatMap((way) => messageOf(one, way, now) ?? []),
    )
    news.push(...(await writeMessages(client, messages, now, tools.publicUrl)))
    await client.query('update place_crossings set taken_at = $2 where id = any($1::int8[])', [
      rows.map(({ id }) => id),
      now,
    ])
    return { count: rows.length, news }
  })
  announce(tools.bus, done.news)
  return done.count
}

const readPeople = async (client: Client, crossed: readonly Crossed[]) =>
  (await client.query<Person>(peopleSql, [[...new Set(crossed.map(({ companyId }) => companyId))]])).rows

const canSee = ({ companyId, isAdmin }: Person, crossed: Crossed) =>
  companyId === crossed.companyId && (isAdmin || !crossed.isPrivate)

function alertOf(
  { direction, names, at, late, position }: Crossed,
  nearestTownName: DispatchTools['nearestTownName'],
): Alert {
  return {
    event: 'crossed',
    severity: 'warning',
    alarm: '',
    device: names.device,
    condition: direction,
    fence: names.fence,
    limit: null,
    cumulative: null,
    value: null,
    peak: null,
    since: at,
    normalAt: null,
    place: position && nearestTownName(position.lat, position.lon),
    late,
  }
}

interface PersonCrossings {
  person: Person
  crossings: { crossed: Crossed; alert: Alert }[]
}

const linesOf = ({ person, crossings }: PersonCrossings): Line[] =>
  crossings.map(({ crossed, alert }) => ({
    company_id: person.companyId,
    user_id: person.userId,
    kind: crossed.direction === 'in' ? 'placeEntered' : 'placeLeft',
    severity: 'info',
    device_id: crossed.deviceId,
    alarm_id: null,
    trigger_id: null,
    params: alert,
    at: crossed.at,
  }))

interface Way {
  channel: OutwardChannel
  address: string
}

/** One message of all that a person hears of at once. */
function messageOf({ person, crossings }: PersonCrossings, { channel, address }: Way, now: Date): Message | null {
  const [first] = crossings
  if (!first) return null
  const { companyId, userId, timezone } = person
  const quiet = quietUntil(person.quietFrom, person.quietTo, timezone, now)
  const named = crossings.slice(0, maxListedFirings)
  return {
    companyId,
    key: `crossed ${first.crossed.id}+${crossings.length} ${channel} ${recipientKey(channel, { userId, address })}`,
    channel,
    event: 'crossed',
    alarmId: null,
    userId,
    address,
    locale: Locale.catch('en').parse(person.locale),
    payload: {
      alerts: named.map(({ alert }) => alert),
      more: crossings.length - named.length,
      deviceId: crossings.length === 1 ? first.crossed.deviceId : null,
      deviceIds: named.map(({ crossed }) => crossed.deviceId),
      triggerId: null,
      timezone,
    },
    severity: 'warning',
    isTest: false,
    ...(quiet
      ? { state: 'held', reason: 'quietHours', holdUntil: quiet }
      : { state: 'queued', reason: null, holdUntil: null }),
    units: 0,
    weight: 1,
    triggerIds: [],
    devices: crossings.length,
  }
}
