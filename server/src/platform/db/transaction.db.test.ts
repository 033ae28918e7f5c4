import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildCompany } from '../../../test/factories.ts'
import { inTenant } from './transaction.ts'

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
