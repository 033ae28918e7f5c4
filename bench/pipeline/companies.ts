import type pg from 'pg'
import { insertCompany } from '../../server/src/core/company/company-queries.ts'
import { createPool, type Pool } from '../../server/src/platform/db/pool.ts'
import { asLogin } from '../../server/src/platform/db/transaction.ts'

/** One connection by the server's pool to where a client is connected, which may be the folder of a socket. */
export function poolBeside({ user, password, host, port, database }: pg.Client): Pool {
  const address = `127.0.0.1:${port}/${database}?host=${encodeURIComponent(host)}`
  return createPool(`postgres://${user}:${encodeURIComponent(password ?? '')}@${address}`, 1, () => {})
}

/** Companies as signing up makes them, with empty wallets and the key of their webhooks; their numbers. */
export async function makeCompanies(client: pg.Client, count: number) {
  const pool = poolBeside(client)
  const ids: number[] = []
  try {
    while (ids.length < count) {
      const about = { name: `Bench ${ids.length + 1}`, created_at: new Date() }
      ids.push((await asLogin(pool, ({ tx }) => insertCompany(tx, about))).company_id)
    }
    return ids
  } finally {
    await pool.end()
  }
}

/** Changes rows of a company as itself. A running server may have read its devices already: it is told to read them again. */
export async function asCompany(client: pg.Client, companyId: number, work: () => Promise<void>): Promise<void> {
  await client.query(`begin; set local role app; set local app.company_id = '${companyId}'`)
  await work()
  await client.query(`insert into settings_changes (subject) values ('company:${companyId}')`)
  await client.query('commit')
}
