import { apiBase } from '../../contract/src/call.ts'
import { provider } from '../../server/src/commands/provider/provider.ts'
import { insertCompany } from '../../server/src/core/company/company-queries.ts'
import { createPool } from '../../server/src/platform/db/pool.ts'
import { asLogin } from '../../server/src/platform/db/transaction.ts'
import { buildUser, type TestUser, token } from '../../server/test/factories.ts'
import type { TestApp } from '../../server/test/harness.ts'

/** Nigeria pays by Paystack, Germany by Stripe. */
const countries = ['NG', 'DE'] as const

export interface Scene {
  buyers: Buyer[]
  /** New sessions for everybody: the old ones end while the clock is moved. */
  renewSessions(): Promise<void>
  close(): Promise<void>
}

export interface Buyer extends TestUser {
  country: (typeof countries)[number]
  /** A call of the person's browser; null: no answer. `path` is below /app/api/v1. */
  call(method: string, path: string, body?: object): Promise<{ status: number; payload: unknown } | null>
}

/** A price list, and companies that say how they are written on invoices; the server runs. */
export async function setScene(databaseUrl: string, port: number, now: () => Date, companies: number): Promise<Scene> {
  const pool = createPool(databaseUrl, 4, () => {})
  const stage = { pool, clock: { now } } as unknown as TestApp
  const desk = async (...args: string[]) => {
    const said: string[] = []
    if ((await provider(args, { pool, out: (line) => void said.push(line) })) !== 0) throw new Error(said.join('\n'))
  }
  await desk('seller', 'set', '--name', 'Seller Ltd', '--address', '12 Marina, Lagos', '--country', 'NG')
  await desk('tax', 'set', '--country', 'NG', '--name', 'VAT', '--percent', '7.5', '--from', '2020-01-01')
  const numbers = ['--devices', '5', '--users', '10', '--emails', '20', '--phones', '5', '--retention', '12']
  await desk('plans', 'add', 'bench', '--name', 'Bench', ...numbers)
  for (const currency of ['NGN', 'EUR']) {
    await desk('units', 'set', '--kind', 'sms', '--currency', currency, '--units', '1', '--amount', '6')
    await desk('prices', 'set', 'bench', '--currency', currency, '--billing', 'monthly', '--amount', '100')
  }

  const buyers: Buyer[] = []
  for (let n = 0; n < companies; n++) {
    const about = { name: `Payer ${n + 1}`, created_at: now() }
    const { company_id: companyId } = await asLogin(pool, ({ tx }) => insertCompany(tx, about))
    const user = await buildUser(stage, { company: { companyId } })
    const buyer: Buyer = {
      ...user,
      country: countries[n % countries.length] ?? 'NG',
      call: (method, path, body) => call(port, buyer.token, method, path, body),
    }
    const details = { name: about.name, address: '5 Broad Street', country: buyer.country, taxNumber: null }
    const kept = await buyer.call('PUT', '/enterprise/billing-account', details)
    if (kept?.status !== 200) throw new Error(`the account was refused: ${JSON.stringify(kept)}`)
    buyers.push(buyer)
  }
  return {
    buyers,
    async renewSessions() {
      for (const buyer of buyers) buyer.token = await token(stage, buyer)
    },
    close: () => pool.end(),
  }
}

async function call(port: number, session: string, method: string, path: string, body?: object) {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${apiBase}${path}`, {
      method,
      headers: { authorization: `Bearer ${session}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(30_000),
    })
    const { payload } = (await answer.json()) as { payload: unknown }
    return { status: answer.status, payload }
  } catch {
    // The server was killed meanwhile.
    return null
  }
}
