import { type AuditEntry, writeAudit } from '../../platform/audit/audit.ts'
import type { Context } from '../../platform/context.ts'
import { inTenant, type Transaction, withLogin } from '../../platform/db/transaction.ts'

/** Goes on as the person who called, in a transaction of its own: the call's is over, because another service was asked meanwhile. */
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
    const done = await work(ctx)
    if (entries.length > 0) await writeAudit(tx, companyId, { actor, origin, at: clock.now() }, entries)
    return done
  }
  const { statementTimeoutMs } = services.config
  const result = await inTenant(services.pool, companyId, inTransaction, { statementTimeoutMs })
  for (const afterwards of waiting) afterwards()
  return result
}
