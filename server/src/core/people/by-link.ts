import { type AuditEntry, writeAudit } from '../../platform/audit/audit.ts'
import { identityOf } from '../../platform/auth/identities.ts'
import type { Context, PublicContext } from '../../platform/context.ts'
import { asLogin, inTenant, type Transaction, withLogin } from '../../platform/db/transaction.ts'
import { loadPerson } from './person.ts'
import { type PersonRef, personContext } from './person-context.ts'

/**
 * Acts as the person whom a link was given to, in one transaction, as a call of theirs would: their role and rights of now, their
 * name in the audit trail. Undefined once they are gone.
 */
export async function byLink<T>(
  { services, clock, origin }: PublicContext,
  { companyId, userId }: PersonRef,
  work: (ctx: Context) => Promise<T>,
): Promise<T | undefined> {
  const identity = await asLogin(services.pool, ({ tx }) => identityOf(tx, companyId, userId))
  if (!identity) return undefined
  const [entries, waiting]: [AuditEntry[], (() => void)[]] = [[], []]
  const { statementTimeoutMs } = services.config
  const inTransaction = async ({ tx, client }: Transaction) => {
    const person = await loadPerson(tx, companyId, { userId, identityId: identity.id })
    if (!person) return undefined
    const ctx = personContext(person, {
      ...{ services, clock, origin, tx, companyId },
      audit: (entry) => void entries.push(entry),
      enqueue: (job, payload) => withLogin(tx, () => services.enqueue(client, job, payload)),
      afterCommit: (afterwards) => void waiting.push(afterwards),
    })
    const done = await work(ctx)
    if (entries.length > 0) await writeAudit(tx, companyId, { actor: ctx.actor, origin, at: clock.now() }, entries)
    return done
  }
  const result = await inTenant(services.pool, companyId, inTransaction, { statementTimeoutMs })
  for (const afterwards of waiting) afterwards()
  return result
}
