import type { ContactFilter, ContactQuery } from '@isotherm/contract/contacts.ts'
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import type { Context, TenantTx } from '../../platform/context.ts'
import { allRows, firstRow, orderOf, pageOfRows } from '../../platform/db/rows.ts'
import type { Contacts } from '../../platform/db/schema.ts'
import { containing, phoneSql } from '../../platform/db/search.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { maxRows } from '../../platform/http/list-csv.ts'

export type ContactRow = Selectable<Contacts>
/** The columns that a person fills. */
export type ContactValues = Omit<Updateable<Contacts>, 'company_id' | 'id' | 'version' | 'created_at'>

const columns = sql`c.*`
// Text is kept in code-point order: without `lower`, every small letter would come after Z.
const sorts = { name: sql`lower(c.name)`, company: sql`lower(c.company_name)`, createdAt: sql`c.created_at` }
const order = (sort: string) => sql`${orderOf(sorts, sort)} nulls last, c.id`

/** The contacts that a search finds; a phone number however it is grouped. */
const from = ({ companyId }: TenantTx, search = ''): RawBuilder<unknown> => {
  const pattern = containing(search)
  return sql`contacts c where c.company_id = ${companyId} and c.archived_at is null and (${search === ''}
    or c.name ilike ${pattern} or c.company_name ilike ${pattern} or c.email ilike ${pattern}
    or c.address ilike ${pattern} or c.phone_typed ilike ${pattern} or ${phoneSql(sql`c.phone`, search)})`
}

export const pageOfContacts = (ctx: TenantTx, query: z.output<typeof ContactQuery>) =>
  pageOfRows<ContactRow>(ctx.tx, query, { columns, from: from(ctx, query.search), order: order(query.sort) })

export const allContacts = (ctx: TenantTx, { search, sort }: z.output<typeof ContactFilter>) =>
  allRows<ContactRow>(ctx.tx)`select ${columns} from ${from(ctx, search)} order by ${order(sort)} limit ${maxRows}`

/** The contacts for what somebody types: whose phone number it is, then whose name begins with it. */
export const searchContacts = (ctx: TenantTx, text: string, phone: string | null, limit: number) =>
  allRows<ContactRow>(ctx.tx)`
    select ${columns} from ${from(ctx, text)} order by c.phone is not distinct from ${phone}::text desc,
      starts_with(lower(c.name), lower(${text})) desc, lower(c.name), c.id limit ${limit}`

/** The contact, locked until the transaction ends. Throws NOT_FOUND. */
export const lockContact = async ({ tx, companyId }: TenantTx, id: string): Promise<ContactRow> =>
  orNotFound(
    await firstRow<ContactRow>(tx)`
      select * from contacts where company_id = ${companyId} and id = ${id}::int8 and archived_at is null for update`,
  )

export const insertContact = ({ tx, companyId, clock }: Context, values: ContactValues & { name: string }) => {
  const now = clock.now()
  const row: Insertable<Contacts> = { ...values, company_id: companyId, created_at: now, updated_at: now }
  return tx.insertInto('contacts').values(row).returningAll().executeTakeFirstOrThrow()
}

export const updateContact = ({ tx, companyId, clock }: Context, id: string, values: ContactValues) =>
  tx
    .updateTable('contacts')
    .set({ ...values, updated_at: clock.now(), version: sql`version + 1` })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
