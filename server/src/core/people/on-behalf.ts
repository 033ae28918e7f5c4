import { sql } from 'kysely'
import { identityOf } from '../../platform/auth/identities.ts'
import type { Context } from '../../platform/context.ts'
import { asLogin, inTenant } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import { actingPerson } from './acting-person.ts'
import { type PersonRef, personContext } from './person-context.ts'

const readsOnly = () => {
  throw new Error('what a job does on behalf of a person only reads')
}

/**
 * Reads as a person would, later: with what they may see and do by then, at one instant (`ctx.clock` stands still), from one
 * snapshot of the database, whose name `work` is given for another connection to read the same. Undefined once they are gone. Over the replica
 * where there is one and `mayUseReplica`: `ctx.services.pool` leads to where the snapshot is.
 */
export async function onBehalf<T>(
  services: Services,
  { companyId, userId }: PersonRef,
  work: (ctx: Context, snapshot: string) => Promise<T>,
  { mayUseReplica = false } = {},
): Promise<T | undefined> {
  const identity = await asLogin(services.pool, ({ tx }) => identityOf(tx, companyId, userId))
  const pool = mayUseReplica && services.replica ? await services.replica.choose(services.pool) : services.pool
  return inTenant(pool, companyId, async ({ tx }) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx)
    const { rows } = await sql<{ name: string }>`select pg_export_snapshot() as name`.execute(tx)
    const now = services.clock.now()
    const person = await actingPerson(tx, { companyId, userId }, identity, now)
    if (!person || !rows[0]) return undefined
    const ctx = personContext(person, {
      services: { ...services, pool },
      clock: { now: () => now },
      origin: { address: '', agent: 'job', requestId: '' },
      tx,
      companyId,
      audit: readsOnly,
      enqueue: readsOnly,
      afterCommit: readsOnly,
    })
    return work(ctx, rows[0].name)
  })
}
