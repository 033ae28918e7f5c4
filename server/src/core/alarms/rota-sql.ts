import { candidatesAt, type Override, type Rota } from '../../domain/on-call.ts'
import type { TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import { seesAlarmsText, seesOrdersText } from './recipient-sql.ts'

/** A person of a rota, also one who stands in or was stood in for. */
export interface RotaMember {
  id: string
  name: string
  /** Messages go to them at all: they have joined, were not removed, and may see alarms and devices. */
  isAvailable: boolean
  hearsPrivate: boolean
  /** They have joined, were not removed, and may view dispatch: messages of orders go to them. */
  hearsOrders: boolean
}

/** A rota as a query gives it: what decides who is on call, and the people it names. */
export interface RotaPlan extends Rota {
  name: string
  members: RotaMember[]
  overrides: (Override & { id: string })[]
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

/** A rota `o` of a company `c`, as JSON of a `RotaPlan`. */
export const rotaPlanText = `json_build_object('name', o.name, 'weekday', o.weekday, 'time', o.time, 'startsOn', o.starts_on::text, 'zone', c.timezone,
  'people', (select coalesce(json_agg(q.user_id::text order by q.place), '[]') from rota_people q
    where q.company_id = o.company_id and q.rota_id = o.id),
  'overrides', (select coalesce(json_agg(json_build_object('id', x.id::text, 'userId', x.user_id::text, 'insteadOf', x.instead_of::text,
      'from', ${ms('x.from_at')}, 'to', ${ms('x.to_at')}) order by x.id), '[]') from rota_overrides x
    where x.company_id = o.company_id and x.rota_id = o.id),
  'members', (select coalesce(json_agg(json_build_object('id', u.id::text, 'name', u.fullname, 'isAvailable', ${seesAlarmsText},
      'hearsPrivate', u.role = 'admin', 'hearsOrders', ${seesOrdersText})), '[]')
    from users u left join role_permissions p on p.company_id = u.company_id and p.role = u.role and u.role <> 'admin'
    where u.company_id = o.company_id and u.id in (
      select q.user_id from rota_people q where q.company_id = o.company_id and q.rota_id = o.id
      union select unnest(array[x.user_id, x.instead_of]) from rota_overrides x
        where x.company_id = o.company_id and x.rota_id = o.id)))`

/** The person of a rota who hears of something at an instant: the one on call, or the next in turn whom messages reach. */
export const hearerAt = (
  plan: RotaPlan,
  at: Date,
  isPrivate = false,
  of: 'alarms' | 'orders' = 'alarms',
): RotaMember | undefined =>
  candidatesAt(plan, at.getTime())
    .map((id) => plan.members.find((member) => member.id === id))
    .find(
      (member) => (of === 'orders' ? member?.hearsOrders : member?.isAvailable) && (member?.hearsPrivate || !isPrivate),
    )

/** The rotas among some ids that are there. */
export const knownRotas = async ({ tx, companyId }: TenantTx, ids: readonly string[]): Promise<Set<string>> =>
  new Set(
    (
      await allRows<{ id: string }>(tx)`select id from rotas
        where company_id = ${companyId} and archived_at is null and id = any(${ids}::int8[])`
    ).map(({ id }) => id),
  )
