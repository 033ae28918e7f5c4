import type { KeyCallQuery } from '@isotherm/contract/developer.ts'
import { type Insertable, sql } from 'kysely'
import type { z } from 'zod'
import type { TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import type { ApiKeyCalls } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export interface CallRow {
  id: string
  key_id: string
  key_name: string
  at: Date
  method: string
  path: string
  status: number
  code: string | null
  ms: number
  address: string
  request_id: string
  times: number
}

const statuses = { done: sql`c.status < 400`, refused: sql`c.status between 400 and 499`, failed: sql`c.status >= 500` }

/** The newest calls by key before one of them; one more than asked for, where there is more. */
export const listCalls = (
  { tx, companyId }: TenantTx,
  { keyId, answer, before, limit }: z.output<typeof KeyCallQuery>,
) =>
  allRows<CallRow>(tx)`
    select c.id::text, c.key_id::text, u.fullname as key_name, c.at, c.method, c.path, c.status, c.code, c.ms, c.address, c.request_id, c.times
    from api_key_calls c join users u on u.company_id = c.company_id and u.id = c.key_id
    where c.company_id = ${companyId} and (${keyId ?? null}::int8 is null or c.key_id = ${keyId ?? null}::int8)
      and (${before ?? null}::int8 is null or c.id < ${before ?? null}::int8) and ${answer ? statuses[answer] : sql`true`}
    order by c.id desc limit ${limit + 1}`

/** As pipeline. */
export const insertCalls = (tx: Tx, calls: Insertable<ApiKeyCalls>[]) =>
  tx.insertInto('api_key_calls').values(calls).execute()

const maxTimes = 1_000_000_000

/** Adds calls that were refused before their key was let in to those of the same day: one row, which is the newest again. As pipeline. */
export async function addRefused(tx: Tx, call: Insertable<ApiKeyCalls> & { times: number }, dayBegan: Date) {
  const { company_id, key_id, code } = call
  const gone = await allRows<{ times: number }>(tx)`
    delete from api_key_calls where company_id = ${company_id} and key_id = ${key_id} and not is_let_in
      and code is not distinct from ${code} and at >= ${dayBegan} returning times`
  const times = gone.reduce((sum, row) => sum + row.times, call.times)
  await insertCalls(tx, [{ ...call, is_let_in: false, times: Math.min(times, maxTimes) }])
}

/** Forgets the calls of a company but for its newest ones. As pipeline. */
export const forgetBut = (tx: Tx, companyId: number, newest: number) =>
  sql`delete from api_key_calls where company_id = ${companyId} and id < (
    select min(id) from (select id from api_key_calls where company_id = ${companyId} order by id desc limit ${newest}) n)`.execute(
    tx,
  )

/** As pipeline. */
export const deleteCallsBefore = (tx: Tx, before: Date) =>
  tx.deleteFrom('api_key_calls').where('at', '<', before).execute()
