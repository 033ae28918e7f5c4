import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildCompany } from '../../../test/factories.ts'
import { createPool, urlOf } from './pool.ts'
import { isStalePlan } from './stale-plans.ts'
import { asLogin, inTenant } from './transaction.ts'

const t = describeApp()

test('where one branch of a verb fails, the others ask nothing more: the connection is somebody else’s by then', async () => {
  const { companyId } = await buildCompany(t)
  let stray: Promise<unknown> = Promise.resolve()
  const gone = new Error('gone')
  const failing = inTenant(t.pool, companyId, ({ tx }) => {
    stray = (async () => {
      await sql`select 1`.execute(tx)
      await failing.catch(() => {})
      const { rows } = await sql`select current_setting('app.company_id', true) as company`.execute(tx)
      return rows
    })()
    return Promise.all([stray, Promise.reject(gone)])
  })
  await expect(failing).rejects.toBe(gone)
  await expect(stray).rejects.toThrow('the transaction is over')
})

test('once another version has added a column, reads go on, and writes after one refusal that may be tried again', async () => {
  const { companyId } = await buildCompany(t)
  const pool = createPool(urlOf(t.pool), 6, () => {})
  const addColumn = () =>
    asLogin(t.pool, ({ tx }) => sql.raw(`alter table companies add column added_${added++} text`).execute(tx))
  const ask = (isReading: boolean) =>
    inTenant(
      pool,
      companyId,
      ({ tx }) => tx.selectFrom('companies').selectAll().where('company_id', '=', companyId).execute(),
      {
        isReading,
      },
    )
  // All connections of the pool at once: each has prepared the statement.
  const askAll = async (isReading: boolean) =>
    (await Promise.all(Array.from({ length: 6 }, () => ask(isReading)))).length
  let added = 0
  try {
    await askAll(true)
    await addColumn()
    expect(await askAll(true)).toBe(6)
    await addColumn()
    expect(await ask(false).catch(isStalePlan)).toBe(true)
    expect(await askAll(false)).toBe(6)
  } finally {
    await pool.end()
  }
})
