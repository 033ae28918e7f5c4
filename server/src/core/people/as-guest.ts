import { defaultMatrix, modules, type PermissionMatrix, type Role } from '@isotherm/contract/permissions.ts'
import { type AuditEntry, writeAudit } from '../../platform/audit/audit.ts'
import type { Context, PublicContext } from '../../platform/context.ts'
import { inTenant, type Transaction, withLogin } from '../../platform/db/transaction.ts'

const nothing = { view: false, addOrEdit: false, export: false }
const noPermissions: PermissionMatrix = {
  ...defaultMatrix.staff,
  ...Object.fromEntries(modules.map((module) => [module, nothing])),
}

/** Nobody of the company, without any permission; who sees what is private is an Admin, anybody else Staff. */
export const guest = (role: Role): Context['person'] => ({
  ...{ id: '0', identityId: '0', fullname: '', email: '', permissions: noPermissions, role },
})

/**
 * Runs `work` in one transaction in a company, as somebody without a login: what it leaves in the audit trail is a guest's. They see nothing that is
 * private, unless `work` says otherwise.
 */
export async function asGuest<T>(
  { services, clock, locale, origin }: PublicContext,
  companyId: number,
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  const [entries, waiting]: [AuditEntry[], (() => void)[]] = [[], []]
  const inTransaction = async ({ tx, client }: Transaction) => {
    const ctx: Context = {
      ...{ services, clock, locale, origin, tx, companyId, sessionHash: Buffer.alloc(0), callKey: null },
      ...{ person: guest('staff'), actor: { kind: 'guest' }, can: () => false },
      audit: (entry) => void entries.push(entry),
      enqueue: (job, payload) => withLogin(tx, () => services.enqueue(client, job, payload)),
      afterCommit: (afterwards) => void waiting.push(afterwards),
    }
    const done = await work(ctx)
    if (entries.length > 0) await writeAudit(tx, companyId, { actor: ctx.actor, origin, at: clock.now() }, entries)
    return done
  }
  const { statementTimeoutMs } = services.config
  const run = () => inTenant(services.pool, companyId, inTransaction, { statementTimeoutMs })
  const result = await services.shares.run(companyId, run)
  for (const afterwards of waiting) afterwards()
  return result
}
