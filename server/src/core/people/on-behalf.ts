import { Locale } from '@isotherm/contract/common.ts'
import { allows } from '@isotherm/contract/permissions.ts'
import { sql } from 'kysely'
import type { Context } from '../../platform/context.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import { loadPerson } from './person.ts'

const readsOnly = () => {
  throw new Error('what a job does on behalf of a person only reads')
}

/**
 * Reads as a person would, later: with what they may see and do by then, at one instant (`ctx.clock` stands still), from one
 * snapshot of the database, whose name `work` is given for another connection to read the same. Undefined once they are gone.
 */
export async function onBehalf<T>(
  services: Services,
  { companyId, userId }: { companyId: number; userId: string },
  work: (ctx: Context, snapshot: string) => Promise<T>,
): Promise<T | undefined> {
  const { rows: identities } = await services.pool.query<{ id: string }>(
    'select id from identities where company_id = $1 and user_id = $2',
    [companyId, userId],
  )
  const identityId = identities[0]?.id
  if (!identityId) return undefined
  return inTenant(services.pool, companyId, async ({ tx }) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx)
    const { rows } = await sql<{ name: string }>`select pg_export_snapshot() as name`.execute(tx)
    const person = await loadPerson(tx, companyId, { userId, identityId })
    if (!person || !rows[0]) return undefined
    const now = services.clock.now()
    const ctx: Context = {
      services,
      clock: { now: () => now },
      locale: Locale.parse(person.locale),
      origin: { address: '', agent: 'job', requestId: '' },
      tx,
      companyId,
      sessionHash: Buffer.alloc(0),
      person,
      actor: { kind: 'user', id: person.id, name: person.fullname, role: person.role },
      can: (permission) => allows(person.permissions, permission),
      audit: readsOnly,
      enqueue: readsOnly,
      afterCommit: readsOnly,
    }
    return work(ctx, rows[0].name)
  })
}
