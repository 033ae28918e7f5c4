import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { hiddenFrom, maySee, seesPrivate } from '../visibility/visibility.ts'

/** The devices a person may see, as a condition over `devices d`. */
export const visibleSql = (ctx: Pick<Context, 'companyId' | 'person'>): RawBuilder<boolean> =>
  seesPrivate(ctx.person)
    ? sql<boolean>`d.company_id = ${ctx.companyId}`
    : sql<boolean>`d.company_id = ${ctx.companyId} and d.visibility = 'public'`

/**
 * Whether the person sees every device that a row tells of now, as a condition: its `device_ids`, of which null is not known and
 * so for Admins only. `row` is the alias of the row.
 */
export const seesAllOfSql = (ctx: Pick<Context, 'person'>, row: string): RawBuilder<boolean> =>
  seesPrivate(ctx.person) ? sql<boolean>`true` : sql<boolean>`not coalesce(${tellsOfPrivateSql(row)}, true)`

/** Whether a row with `device_ids` tells of a device that is private now; null where that is not known. */
export const tellsOfPrivateSql = (row: string): RawBuilder<boolean | null> => {
  const [ids, company] = [sql.raw(`${row}.device_ids`), sql.raw(`${row}.company_id`)]
  return sql<boolean | null>`case when ${ids} is not null then exists (select from devices shown
    where shown.company_id = ${company} and shown.id = any(${ids}) and shown.visibility = 'private') end`
}

const maxInt4 = 2_147_483_647

/** A device id as the database keeps it; throws NOT_FOUND where no device can have it. */
export function deviceIdOf(id: string): number {
  const number = Number(id)
  if (!Number.isSafeInteger(number) || number > maxInt4) throw new AppError('NOT_FOUND')
  return number
}

export interface VisibleDevice {
  id: number
  name: string
  /** The last instant, in ms, whose readings are shown: a lapsed licence hides later ones. Infinity without an end. */
  shownUntil: number
  isPrivate: boolean
  isDecommissioned: boolean
  isSample: boolean
}

/** A device the person may see; throws NOT_FOUND for any other. */
export async function findVisible(
  ctx: Pick<Context, 'tx' | 'companyId' | 'person'>,
  id: number,
): Promise<VisibleDevice> {
  const device = await ctx.tx
    .selectFrom('devices')
    .select(['id', 'name', 'visibility', 'licence_until', 'decommissioned_at', 'sample_until'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!device || !maySee(ctx.person, device)) throw new AppError('NOT_FOUND')
  const hidden = hiddenFrom(device.licence_until)?.getTime() ?? Number.POSITIVE_INFINITY
  return {
    id: device.id,
    name: device.name,
    shownUntil: hidden - 1,
    isPrivate: device.visibility === 'private',
    isDecommissioned: device.decommissioned_at !== null,
    isSample: device.sample_until !== null,
  }
}
