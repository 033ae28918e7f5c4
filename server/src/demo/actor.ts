import { allows } from '@isotherm/contract/permissions.ts'
import { loadPerson } from '../core/people/person.ts'
import { type Actor, type AuditEntry, type Origin, writeAudit } from '../platform/audit/audit.ts'
import type { Context } from '../platform/context.ts'
import { inTenant, withLogin } from '../platform/db/transaction.ts'
import type { Services } from '../platform/services.ts'

export const demoActor: Actor = { kind: 'system', name: 'demo' }
export const demoOrigin: Origin = { address: '', agent: 'demo', requestId: 'demo' }

/** Runs verbs as an Admin of a company would call them, in one transaction with its audit entries. */
export async function asAdmin<T>(
  services: Services,
  companyId: number,
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  const waiting: (() => void)[] = []
  const result = await inTenant(services.pool, companyId, async ({ tx, client }) => {
    const { id } = await tx
      .selectFrom('users')
      .select('id')
      .where('company_id', '=', companyId)
      .where('role', '=', 'admin')
      .where('archived_at', 'is', null)
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow()
    const person = await loadPerson(tx, companyId, { userId: id, identityId: '' })
    if (!person) throw new Error(`company ${companyId} has no Admin`)
    const entries: AuditEntry[] = []
    const ctx: Context = {
      services,
      clock: services.clock,
      locale: 'en',
      origin: demoOrigin,
      tx,
      companyId,
      sessionHash: Buffer.alloc(0),
      callKey: null,
      person,
      actor: demoActor,
      can: (permission) => allows(person.permissions, permission),
      audit: (entry) => void entries.push(entry),
      enqueue: (job, payload) => withLogin(tx, () => services.enqueue(client, job, payload)),
      afterCommit: (after) => void waiting.push(after),
    }
    const done = await work(ctx)
    if (entries.length > 0)
      await writeAudit(tx, companyId, { actor: demoActor, origin: demoOrigin, at: services.clock.now() }, entries)
    return done
  })
  for (const after of waiting) after()
  return result
}
