import type { SessionFilters, SessionQuery } from '@isotherm/contract/sessions.ts'
import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely'
import { deviceIdOf, visibleSql } from '../../core/devices/visible-devices.ts'
import type { Context } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { DeviceSessions } from '../../platform/db/schema.ts'
import { containing } from '../../platform/db/search.ts'

export interface SessionRow {
  id: string
  device_id: number
  device_name: string
  visibility: string
  name: string | null
  opened_by: string
  started_at: Date
  ended_at: Date | null
  ended_by: string | null
  created_by: string | null
}

const columns = sql`s.id, s.device_id, d.name as device_name, d.visibility, s.name, s.opened_by, s.started_at, s.ended_at,
  s.ended_by, s.created_by`
const visibleSessions = (ctx: Context) => sql`device_sessions s
  join devices d on d.company_id = s.company_id and d.id = s.device_id
  where s.company_id = ${ctx.companyId} and ${visibleSql(ctx)}`

function filtered(ctx: Context, { search, state, deviceId }: SessionFilters): RawBuilder<unknown> {
  const pattern = containing(search ?? '')
  return sql`${visibleSessions(ctx)}
    and (${!search} or d.name ilike ${pattern} or s.name ilike ${pattern})
    and ${state === undefined ? sql`true` : state === 'open' ? sql`s.ended_at is null` : sql`s.ended_at is not null`}
    and ${deviceId === undefined ? sql`true` : sql`s.device_id = ${deviceIdOf(deviceId)}`}`
}

const orders: Record<SessionQuery['sort'], RawBuilder<unknown>> = {
  startedAt: sql`s.started_at, s.id`,
  '-startedAt': sql`s.started_at desc, s.id desc`,
  deviceName: sql`lower(d.name), s.started_at desc, s.id`,
  '-deviceName': sql`lower(d.name) desc, s.started_at desc, s.id`,
}

/** How many of the sessions a person may see fit, and how many of those are open. Throws NOT_FOUND for what is no id of a device. */
export async function countSessions(ctx: Context, filters: SessionFilters): Promise<{ total: number; open: number }> {
  const { rows } = await sql<{ total: number; open: number }>`
    select count(*)::int as total, count(*) filter (where s.ended_at is null)::int as open
    from ${filtered(ctx, filters)}`.execute(ctx.tx)
  return rows[0] ?? { total: 0, open: 0 }
}

/** Throws NOT_FOUND for what is no id of a device. */
export const pageOfSessions = (ctx: Context, query: SessionQuery): Promise<SessionRow[]> =>
  allRows<SessionRow>(ctx.tx)`select ${columns} from ${filtered(ctx, query)}
    order by ${orders[query.sort]} limit ${query.perPage} offset ${(query.page - 1) * query.perPage}`

/** One session of a device the person may see; locked, where asked, until the transaction ends. */
export const findSession = (ctx: Context, id: string, { lock = false } = {}): Promise<SessionRow | undefined> =>
  firstRow<SessionRow>(ctx.tx)`select ${columns} from ${visibleSessions(ctx)} and s.id = ${id}::int8
    ${lock ? sql`for update of s` : sql``}`

export const insertSession = (ctx: Context, row: Insertable<DeviceSessions>) =>
  ctx.tx.insertInto('device_sessions').values(row).returning('id').executeTakeFirstOrThrow()

export const updateSession = (ctx: Context, id: string, change: Updateable<DeviceSessions>) =>
  ctx.tx
    .updateTable('device_sessions')
    .set(change)
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute()

/** Ends the sessions of a device that is taken out of use. */
export const endSessions = (ctx: Context, deviceId: number) =>
  ctx.tx
    .updateTable('device_sessions')
    .set((eb) => ({
      ended_at: eb.fn('greatest', [eb.val(ctx.clock.now()), 'started_at']),
      ended_by: 'decommissioned',
    }))
    .where('company_id', '=', ctx.companyId)
    .where('device_id', '=', deviceId)
    .where('ended_at', 'is', null)
    .execute()
