import { personContext } from '../../core/people/person-context.ts'
import { type AuditEntry, writeAudit } from '../../platform/audit/audit.ts'
import type { Caller } from '../../platform/auth/people.ts'
import type { Context } from '../../platform/context.ts'
import { withSandbox } from '../../platform/db/transaction.ts'

/** Runs `work` in a sandbox of the company that calls, in the name of the sandbox's person; what it changes is in the sandbox's own trail. */
export const inside = <T>(ctx: Context, sandboxId: number, person: Caller, work: (ctx: Context) => Promise<T>) =>
  withSandbox(ctx.tx, { from: ctx.companyId, to: sandboxId }, async () => {
    const { services, clock, origin, tx, enqueue, afterCommit } = ctx
    const entries: AuditEntry[] = []
    const audit = (entry: AuditEntry) => void entries.push(entry)
    const own = personContext(person, {
      ...{ services, clock, origin, tx, companyId: sandboxId, audit, enqueue, afterCommit },
    })
    const result = await work(own)
    if (entries.length > 0) await writeAudit(tx, sandboxId, { actor: own.actor, origin, at: clock.now() }, entries)
    return result
  })
