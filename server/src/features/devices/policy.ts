import { type RawBuilder, sql } from 'kysely'
import { seesPrivate } from '../../platform/auth/visibility.ts'
import { AppError } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'

/** The devices a person may see, as a condition over `devices d`. */
export const visibleSql = (ctx: Pick<Context, 'companyId' | 'person'>): RawBuilder<boolean> =>
  seesPrivate(ctx.person)
    ? sql<boolean>`d.company_id = ${ctx.companyId}`
    : sql<boolean>`d.company_id = ${ctx.companyId} and d.visibility = 'public'`

const maxInt4 = 2_147_483_647

/** A device id as the database keeps it; throws NOT_FOUND where no device can have it. */
export function deviceIdOf(id: string): number {
  const number = Number(id)
  if (!Number.isSafeInteger(number) || number > maxInt4) throw new AppError('NOT_FOUND')
  return number
}
