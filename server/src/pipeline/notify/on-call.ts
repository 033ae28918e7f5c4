import { type RotaPlan, rotaPlanText } from '../../core/alarms/rota-sql.ts'
import { candidatesAt } from '../../domain/on-call.ts'
import type { Client } from '../../platform/db/pool.ts'
import type { Recipient } from './reading.ts'

const rotasSql = `
select r.company_id as "companyId", r.alarm_id as "alarmId", r.tier, r.channels, o.id as "rotaId", ${rotaPlanText} as plan
from alarm_recipients r
join rotas o on o.company_id = r.company_id and o.id = r.rota_id and o.archived_at is null
join companies c on c.company_id = r.company_id
where (r.company_id, r.alarm_id) in (select * from unnest($1::int4[], $2::int8[]))`

const peopleSql = `
select u.company_id as "companyId", u.id as "userId", u.email as address, u.phone, u.locale, u.timezone,
  s.quiet_from as "quietFrom", s.quiet_to as "quietTo"
from users u left join notification_settings s on s.company_id = u.company_id and s.user_id = u.id
where (u.company_id, u.id) in (select * from unnest($1::int4[], $2::int8[]))`

type Named = Pick<Recipient, 'companyId' | 'alarmId' | 'tier' | 'channels'> & { rotaId: string; plan: RotaPlan }
type Person = Omit<Recipient, 'alarmId' | 'tier' | 'channels' | 'hearsPrivate' | 'rota'>

/**
 * The people of the rotas that alarms name, whom messages reach, each with their rank at an instant: `recipientsOf` takes the first
 * who may hear of an event. Who is no candidate now, because they only stood in before, has an endless rank. As pipeline.
 */
export async function readOnCall(
  client: Client,
  alarms: readonly { companyId: number; alarmId: string }[],
  now: Date,
): Promise<Recipient[]> {
  const values = [alarms.map(({ companyId }) => companyId), alarms.map(({ alarmId }) => alarmId)]
  const { rows: named } = await client.query<Named>({ name: 'alarm_rotas', text: rotasSql, values })
  if (named.length === 0) return []
  const members = named.flatMap(({ companyId, plan }) => plan.members.map(({ id }) => ({ companyId, id })))
  const { rows: people } = await client.query<Person>(peopleSql, [
    members.map(({ companyId }) => companyId),
    members.map(({ id }) => id),
  ])
  const known = new Map(people.map((person) => [`${person.companyId} ${person.userId}`, person]))
  return named.flatMap(({ companyId, alarmId, tier, channels, rotaId, plan }) => {
    const order = candidatesAt(plan, now.getTime())
    return plan.members.flatMap(({ id, isAvailable, hearsPrivate }): Recipient[] => {
      const person = known.get(`${companyId} ${id}`)
      const place = order.indexOf(id)
      const rota = { id: rotaId, rank: place < 0 ? Number.POSITIVE_INFINITY : place }
      return person && isAvailable ? [{ ...person, alarmId, tier, channels, hearsPrivate, rota }] : []
    })
  })
}
