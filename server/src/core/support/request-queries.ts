import { type Insertable, type Selectable, sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { SupportRequests } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export type RequestRow = Selectable<SupportRequests>
export type NewRequest = Omit<Insertable<SupportRequests>, 'company_id'>

export const insertRequest = ({ tx, companyId }: TenantTx, request: NewRequest): Promise<RequestRow> =>
  tx
    .insertInto('support_requests')
    .values({ company_id: companyId, ...request })
    .returningAll()
    .executeTakeFirstOrThrow()

/** A request for more of a module; undefined where the company has an open one already. */
export const insertFeatureRequest = (
  { tx, companyId }: TenantTx,
  request: NewRequest,
): Promise<RequestRow | undefined> =>
  tx
    .insertInto('support_requests')
    .values({ company_id: companyId, ...request })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export const setState = ({ tx, companyId }: TenantTx, id: string, state: 'answered' | 'closed') =>
  tx.updateTable('support_requests').set({ state }).where('company_id', '=', companyId).where('id', '=', id).execute()

export const insertAnswer = ({ tx, companyId }: TenantTx, requestId: string, text: string, now: Date) =>
  tx.insertInto('support_answers').values({ company_id: companyId, request_id: requestId, text, at: now }).execute()

/** A request with its company and the person who asked. */
export interface AskedRow extends RequestRow {
  company: string
  fullname: string
  email: string
  locale: string
  /** False for somebody who has left. */
  is_here: boolean
}

const asked = sql`select r.*, c.name as company, u.fullname, u.email, u.locale, u.archived_at is null as is_here
  from support_requests r
  join companies c on c.company_id = r.company_id
  join users u on u.company_id = r.company_id and u.id = r.asked_by`

export const requestById = ({ tx, companyId }: TenantTx, id: string): Promise<AskedRow | undefined> =>
  firstRow<AskedRow>(tx)`${asked} where r.company_id = ${companyId} and r.id = ${id}::int8`

/** The company of a request, by which the desk finds it: its number is one of the installation. As pipeline. */
export const companyOfRequest = (tx: Tx, id: string): Promise<{ company_id: number } | undefined> =>
  firstRow<{ company_id: number }>(tx)`select company_id from support_requests where id = ${id}::int8`

/** The requests of all companies for the desk: open ones first, the oldest of them first. As pipeline. */
export const requestsForDesk = (tx: Tx, isOfFeatures: boolean, max: number): Promise<AskedRow[]> =>
  allRows<AskedRow>(tx)`${asked} where (r.kind = 'feature') = ${isOfFeatures}
    order by r.state <> 'open', case when r.state = 'open' then r.id end, r.id desc limit ${max}`

export interface UntoldRow {
  company_id: number
  id: string
  user_id: string
  kind: string
  title: string
  category: string | null
}

/** Answers that nobody was told of, the oldest first. As pipeline. */
export const untoldAnswers = (tx: Tx, max: number): Promise<UntoldRow[]> =>
  allRows<UntoldRow>(tx)`select a.company_id, a.id, r.asked_by as user_id, r.kind, r.title, r.category
    from support_answers a join support_requests r on r.company_id = a.company_id and r.id = a.request_id
    where a.told_at is null order by a.id limit ${max}`

/** False where another one has done so. As pipeline. */
export async function markTold(tx: Tx, { company_id, id }: Pick<UntoldRow, 'company_id' | 'id'>, now: Date) {
  const { numUpdatedRows } = await tx
    .updateTable('support_answers')
    .set({ told_at: now })
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .where('told_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** An answer with its request. */
export const answerById = (
  { tx, companyId }: TenantTx,
  id: string,
): Promise<(AskedRow & { text: string }) | undefined> =>
  firstRow<AskedRow & { text: string }>(tx)`select x.*, a.text
    from support_answers a join (${asked}) x on x.company_id = a.company_id and x.id = a.request_id
    where a.company_id = ${companyId} and a.id = ${id}::int8`
