import type { PartnerFilter, PartnerQuery } from '@isotherm/contract/partners.ts'
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import type { Context, TenantTx } from '../../platform/context.ts'
import { allRows, firstRow, orderOf, pageOfRows } from '../../platform/db/rows.ts'
import type { Partners } from '../../platform/db/schema.ts'
import { containing, phoneSql } from '../../platform/db/search.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { maxRows } from '../../platform/http/list-csv.ts'

export type PartnerRow = Selectable<Partners>
type OwnColumn = 'company_id' | 'id' | 'version' | 'created_at' | 'updated_at'
/** The columns that a person fills. */
export type PartnerValues = Omit<Updateable<Partners>, OwnColumn>
export type NewPartnerValues = Omit<Insertable<Partners>, OwnColumn>

const columns = sql`p.*`
const sorts = {
  companyName: sql`lower(p.company_name)`,
  fullName: sql`lower(p.full_name)`,
  country: sql`p.country`,
  createdAt: sql`p.created_at`,
}
const order = (sort: string) => sql`${orderOf(sorts, sort)}, p.id`

const from = ({ companyId }: TenantTx, search = ''): RawBuilder<unknown> => {
  const pattern = containing(search)
  return sql`partners p where p.company_id = ${companyId} and p.archived_at is null and (${search === ''}
    or p.company_name ilike ${pattern} or p.full_name ilike ${pattern} or p.email ilike ${pattern}
    or p.phone_typed ilike ${pattern} or ${phoneSql(sql`p.phone`, search)})`
}

export const pageOfPartners = (ctx: TenantTx, query: z.output<typeof PartnerQuery>) =>
  pageOfRows<PartnerRow>(ctx.tx, query, { columns, from: from(ctx, query.search), order: order(query.sort) })

export const allPartners = (ctx: TenantTx, { search, sort }: z.output<typeof PartnerFilter>) =>
  allRows<PartnerRow>(ctx.tx)`select ${columns} from ${from(ctx, search)} order by ${order(sort)} limit ${maxRows}`

/** The partner, locked until the transaction ends. Throws NOT_FOUND. */
export const lockPartner = async ({ tx, companyId }: TenantTx, id: string): Promise<PartnerRow> =>
  orNotFound(
    await firstRow<PartnerRow>(tx)`
      select * from partners where company_id = ${companyId} and id = ${id}::int8 and archived_at is null for update`,
  )

export const insertPartner = ({ tx, companyId, clock }: Context, values: NewPartnerValues) => {
  const now = clock.now()
  const row = { ...values, company_id: companyId, created_at: now, updated_at: now }
  return tx.insertInto('partners').values(row).returningAll().executeTakeFirstOrThrow()
}

export const updatePartner = ({ tx, companyId, clock }: Context, id: string, values: PartnerValues) =>
  tx
    .updateTable('partners')
    .set({ ...values, updated_at: clock.now(), version: sql`version + 1` })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
