import { AsyncLocalStorage } from 'node:async_hooks'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Client, Pool } from './pool.ts'
import type { DB } from './schema.ts'
import { connectFresh, isStalePlan, noteStalePlan } from './stale-plans.ts'

/** A kysely bound to one open transaction. */
export type Tx = Kysely<DB>

/** A transaction as verbs get it: the query builder, and the bare connection for hot paths and libraries. */
export interface Transaction {
  tx: Tx
  client: Client
}

// Statements with parameters by text, so that a connection parses each but once. Texts that vary without end go unnamed.
const names = new Map<string, string>()
const maxNames = 1_000

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known || names.size >= maxNames) return known
  const name = `q${names.size}`
  names.set(text, name)
  return name
}

/**
 * `isOver`: where one of several branches of a verb fails, the others may be between two queries. Their next one would run in
 * whatever the connection does by then, for another company.
 */
function bind(client: Client, isOver: () => boolean): Tx {
  const query = async (text: string, values: unknown[]) => {
    if (isOver()) throw new Error('the transaction is over')
    const name = values.length > 0 ? nameOf(text) : undefined
    return client.query(name ? { name, text, values } : { text, values })
  }
  return new Kysely<DB>({
    dialect: new PostgresDialect({
      pool: {
        connect: async () => ({ query, release: () => {} }) as unknown as Client,
        end: async () => {},
      },
    }),
  })
}

const readers = new WeakSet<Pool>()

/** The same connections, or those of `connect`, but PostgreSQL refuses what a transaction over it writes (SQLSTATE 25006). */
export function readingPool(pool: Pool, connect?: () => Promise<Client>): Pool {
  const reader = new Proxy(pool, {
    get(target, key) {
      if (key === 'connect' && connect) return connect
      const value = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  readers.add(reader)
  return reader
}

const openTransaction = new AsyncLocalStorage<{ isOver: boolean }>()

/** Whether what runs now was begun by the work of a transaction that is open: nothing outside may be called here. */
export const isInTransaction = (): boolean => openTransaction.getStore()?.isOver === false

async function run<T>(pool: Pool, settings: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  const client = await connectFresh(pool)
  const begin = `begin${readers.has(pool) ? ' read only' : ''}; ${settings}`
  let broken: Error | undefined
  const state = { isOver: false }
  const onError = (error: Error) => {
    broken = error
  }
  client.on('error', onError)
  try {
    const begun = client.query(begin)
    const transaction = { tx: bind(client, () => state.isOver), client }
    const [result] = await Promise.all([openTransaction.run(state, () => work(transaction)), begun])
    state.isOver = true
    await client.query('commit')
    return result
  } catch (error) {
    state.isOver = true
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    if (isStalePlan(error)) {
      noteStalePlan(client)
      broken = error
    }
    throw error
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}

const whole = (value: number) => {
  if (!Number.isSafeInteger(value) || value < 1) throw new TypeError(`${value} must be a positive integer`)
  return value
}

/** The connections for a call: of low priority where its company is held back (`Shares`). */
export const poolFor = ({ pool, lowPool }: { pool: Pool; lowPool: Pool }, isHeldBack: boolean): Pool =>
  isHeldBack ? lowPool : pool

interface TenantOptions {
  statementTimeoutMs?: number
  /** PostgreSQL refuses what writes (SQLSTATE 25006), until `endReading`. The work is done again where a plan was stale. */
  isReading?: boolean
}

/**
 * Runs `work` in one transaction as role `app`: row-level security shows it the rows of `companyId` only. A statement that
 * takes longer than `statementTimeoutMs` fails with SQLSTATE 57014; default: none does.
 */
export function inTenant<T>(
  pool: Pool,
  companyId: number,
  work: (transaction: Transaction) => Promise<T>,
  { statementTimeoutMs, isReading = false }: TenantOptions = {},
): Promise<T> {
  const patience =
    statementTimeoutMs === undefined ? '' : `; set local statement_timeout = ${whole(statementTimeoutMs)}`
  const reading = isReading ? '; savepoint reading; set transaction read only' : ''
  const settings = `set local role app; set local app.company_id = '${whole(companyId)}'${patience}${reading}`
  const once = () => run(pool, settings, work)
  return isReading ? once().catch((error: unknown) => (isStalePlan(error) ? once() : Promise.reject(error))) : once()
}

/** From here on a transaction of `isReading` may write: a transaction that reads cannot be told so, but the one around a savepoint still is what it was. */
export const endReading = (tx: Tx) => sql`release savepoint reading`.execute(tx)

/** Runs `work` in one transaction as role `pipeline`: every company's rows of the tables the pipeline is granted. */
export const asPipeline = <T>(pool: Pool, work: (transaction: Transaction) => Promise<T>): Promise<T> =>
  run(pool, 'set local role pipeline', work)

/** Runs `work` as the login role, for tenantless tables: those are asked by functions of platform/auth and core/provider only. */
export const asLogin = <T>(pool: Pool, work: (transaction: Transaction) => Promise<T>): Promise<T> =>
  run(pool, '', work)

/** Within a transaction of `asLogin`: goes on as role `app` for one company (and back, once `work` is done). */
export async function withTenant<T>(tx: Tx, companyId: number, work: () => Promise<T>): Promise<T> {
  await sql.raw(`set local role app; set local app.company_id = '${whole(companyId)}'`).execute(tx)
  const result = await work()
  await sql.raw(`set local role none; set local app.company_id = ''`).execute(tx)
  return result
}

/**
 * Within a transaction of the company `from`: `work` for its sandbox `to`, then back. Only for who may act for both; nothing else may run in the
 * transaction meanwhile.
 */
export async function withSandbox<T>(
  tx: Tx,
  { from, to }: { from: number; to: number },
  work: () => Promise<T>,
): Promise<T> {
  await sql.raw(`set local app.company_id = '${whole(to)}'`).execute(tx)
  const result = await work()
  await sql.raw(`set local app.company_id = '${whole(from)}'`).execute(tx)
  return result
}

/** Within a tenant's transaction: `work` as the login role, then back to `app`. Nothing else may run in the transaction meanwhile. */
export async function withLogin<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await sql`set local role none`.execute(tx)
  const result = await work()
  await sql`set local role app`.execute(tx)
  return result
}
