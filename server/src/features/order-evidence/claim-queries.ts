import { type Insertable, type Selectable, sql } from 'kysely'
import { seesAllOfSql } from '../../core/devices/visible-devices.ts'
import type { ViewerTx } from '../../platform/context.ts'
import { firstRow, pageOfRows } from '../../platform/db/rows.ts'
import type { OrderClaims } from '../../platform/db/schema.ts'

export type ClaimRow = Selectable<OrderClaims>

export const insertClaim = ({ tx }: ViewerTx, values: Insertable<OrderClaims>): Promise<ClaimRow> =>
  tx.insertInto('order_claims').values(values).returningAll().executeTakeFirstOrThrow()

/** A claim pack that tells of no device that the person does not see now; undefined for any other. */
export const findClaim = (ctx: ViewerTx, id: string): Promise<ClaimRow | undefined> =>
  firstRow<ClaimRow>(ctx.tx)`
    select r.* from order_claims r where r.company_id = ${ctx.companyId} and r.id = ${id}::int8 and ${seesAllOfSql(ctx, 'r')}`

export const listClaims = (ctx: ViewerTx, orderId: string, paging: { page: number; perPage: number }) =>
  pageOfRows<ClaimRow>(ctx.tx, paging, {
    columns: sql`r.*`,
    from: sql`order_claims r where r.company_id = ${ctx.companyId} and r.order_id = ${orderId}::int8 and ${seesAllOfSql(ctx, 'r')}`,
    order: sql`r.created_at desc, r.id desc`,
  })
