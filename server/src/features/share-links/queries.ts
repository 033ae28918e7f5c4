import type { ShareLinkKind } from '@isotherm/contract/share-links.ts'
import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import { findWorst, type Worst } from '../../core/devices/worst-queries.ts'
import { memberDevicesSql } from '../../core/groups/visible-groups.ts'
import type { Context, TenantTx } from '../../platform/context.ts'
import { allRows, firstRow, pageOfRows } from '../../platform/db/rows.ts'
import type { ShareLinks } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export interface ShareLinkRow {
  id: string
  kind: ShareLinkKind
  label: string
  device_id: number | null
  device_name: string | null
  group_ids: string[]
  /** In the order of `group_ids`; null where the group is gone. */
  group_names: (string | null)[]
  shows_position: boolean
  shows_chart: boolean
  shows_private: boolean
  turn_s: number | null
  user_id: string
  made_by: string
  created_at: Date
  expires_at: Date | null
  openings: number
  last_read_at: Date | null
}

const columns = sql`s.*, d.name as device_name, u.fullname as made_by, array(
  select g.name from unnest(s.group_ids) with ordinality as x(id, n)
    left join groups g on g.company_id = s.company_id and g.id = x.id and g.archived_at is null order by x.n) as group_names`

const goodSql = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`s.revoked_at is null and (s.expires_at is null or s.expires_at > ${now})`

const from = (
  { companyId, clock }: Pick<Context, 'companyId' | 'clock'>,
  only: RawBuilder<unknown>,
) => sql`share_links s
  join users u on u.company_id = s.company_id and u.id = s.user_id
  left join devices d on d.company_id = s.company_id and d.id = s.device_id
  where s.company_id = ${companyId} and ${goodSql(clock.now())} and ${only}`

const newestFirst = sql`s.created_at desc, s.id desc`
const ofKind = (kind: ShareLinkKind | undefined) => (kind ? sql`s.kind = ${kind}` : sql`true`)

/** Links that are good now, newest first. */
export const pageOfLinks = (ctx: Context, query: { page: number; perPage: number; kind?: ShareLinkKind | undefined }) =>
  pageOfRows<ShareLinkRow>(ctx.tx, query, { columns, from: from(ctx, ofKind(query.kind)), order: newestFirst })

export const linksOfDevice = (ctx: Context, deviceId: number): Promise<ShareLinkRow[]> =>
  allRows<ShareLinkRow>(ctx.tx)`
    select ${columns} from ${from(ctx, sql`s.device_id = ${deviceId}`)} order by ${newestFirst} limit 500`

export const linksOfGroup = (ctx: Context, groupId: string): Promise<ShareLinkRow[]> =>
  allRows<ShareLinkRow>(ctx.tx)`
    select ${columns} from ${from(ctx, sql`s.kind = 'group' and s.group_ids = array[${groupId}::int8]`)}
    order by ${newestFirst} limit 500`

export const findLink = (ctx: Context, kind: ShareLinkKind, id: string): Promise<ShareLinkRow | undefined> =>
  firstRow<ShareLinkRow>(ctx.tx)`select ${columns} from ${from(ctx, sql`s.kind = ${kind} and s.id = ${id}::int8`)}`

export const insertLink = async (ctx: Context, row: Insertable<ShareLinks>): Promise<string> =>
  (await ctx.tx.insertInto('share_links').values(row).returning('id').executeTakeFirstOrThrow()).id

/** Changes a wall screen that is good. */
export const changeLink = ({ tx, companyId }: TenantTx, id: string, values: Updateable<ShareLinks>) =>
  tx.updateTable('share_links').set(values).where('company_id', '=', companyId).where('id', '=', id).execute()

/** False where somebody was faster. */
export async function revokeLink({ tx, companyId, clock }: Context, id: string): Promise<boolean> {
  const revoked = await firstRow(tx)`
    update share_links set revoked_at = ${clock.now()}
    where company_id = ${companyId} and id = ${id}::int8 and revoked_at is null returning id`
  return revoked !== undefined
}

/** A link by its token, with what is asked before anything of its company is read. */
export interface FoundLink {
  kind: ShareLinkKind
  id: string
  companyId: number
  userId: string
}

/** The link of a token that is good, of a company whose subscription runs, made by a person who can log in. As pipeline. */
export const findByToken = (tx: Tx, tokenHash: Buffer, now: Date): Promise<FoundLink | undefined> =>
  firstRow<FoundLink>(tx)`
    select s.id, s.kind, s.company_id as "companyId", s.user_id as "userId"
    from share_links s join users u on u.company_id = s.company_id and u.id = s.user_id
    join companies c on c.company_id = s.company_id
    where s.token_hash = ${tokenHash} and ${goodSql(now)} and u.archived_at is null and u.status = 'active'
      and (c.subscription_until is null or c.subscription_until > ${now})`

/** Counts an opening. That it was read is noted once a minute only: a page asks again and again. */
export const noteReading = ({ tx, companyId }: TenantTx, id: string, isOpening: boolean, now: Date) =>
  sql`update share_links set openings = openings + ${isOpening ? 1 : 0}, last_read_at = ${now}
    where company_id = ${companyId} and id = ${id}::int8
      and (${isOpening} or last_read_at is null or last_read_at <= ${now}::timestamptz - interval '1 minute')`.execute(
    tx,
  )

/** Forgets links that were revoked or over before then. As pipeline. */
export const deleteLinksOver = (tx: Tx, before: Date) =>
  sql`delete from share_links where least(revoked_at, expires_at) <= ${before}`.execute(tx)

/**
 * The devices that a person sees, each once: those in any of these groups, which they see, or all where none is given. The worst
 * come first; private ones only where `withPrivate`.
 */
export const worstShown = (
  ctx: Context,
  { groupIds, withPrivate, limit }: { groupIds: readonly string[]; withPrivate: boolean; limit: number | null },
): Promise<Worst> => {
  const inGroups = groupIds.map((id) => sql`d.id in (select d.id from ${memberDevicesSql(ctx, id)})`)
  const seen = groupIds.length === 0 ? visibleSql(ctx) : sql`(${sql.join(inGroups, sql` or `)})`
  return findWorst(ctx, sql`${seen} and (${withPrivate} or d.visibility = 'public')`, limit)
}
