import { type AuditEntry, writeAudit } from '../../platform/audit/audit.ts'
import { isOpen } from '../../platform/auth/sessions.ts'
import type { Context } from '../../platform/context.ts'
import { inTenant, type Transaction, withLogin } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'

/**
 * Goes on as the person who called, in a transaction of its own: the call's is over, because another service was asked meanwhile. Throws UNAUTHENTICATED
 * where their session was ended since, and FORBIDDEN where they have another role.
 */
export async function goOn<T>(before: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  const { services, companyId, actor, origin, clock } = before
  const [entries, waiting]: [AuditEntry[], (() => void)[]] = [[], []]
  const inTransaction = async ({ tx, client }: Transaction) => {
    const ctx: Context = {
      ...before,
      tx,
      audit: (entry) => void entries.push(entry),
      enqueue: (job, payload) => withLogin(tx, () => services.enqueue(client, job, payload)),
      afterCommit: (afterwards) => void waiting.push(afterwards),
    }
    await refuseChanged(ctx)
    const done = await work(ctx)
    if (entries.length > 0) await writeAudit(tx, companyId, { actor, origin, at: clock.now() }, entries)
    return done
  }
  const { statementTimeoutMs } = services.config
  const result = await inTenant(services.pool, companyId, inTransaction, { statementTimeoutMs })
  for (const afterwards of waiting) afterwards()
  return result
}

async function refuseChanged({ services, tx, companyId, session, sessionHash, person }: Context): Promise<void> {
  const isStill = await withLogin(tx, () => isOpen(tx, sessionHash))
  const now = session && isStill ? await services.people.find(tx, companyId, session) : undefined
  if (!now) throw new AppError('UNAUTHENTICATED')
  if (now.role !== person.role) throw new AppError('FORBIDDEN')
}
