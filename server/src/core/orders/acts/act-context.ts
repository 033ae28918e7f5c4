import type { Actor, AuditEntry } from '../../../platform/audit/audit.ts'
import { writeAudit } from '../../../platform/audit/audit.ts'
import type { Context } from '../../../platform/context.ts'
import { inTenant, withLogin } from '../../../platform/db/transaction.ts'
import type { Services } from '../../../platform/services.ts'
import { seesPrivate } from '../../visibility/visibility.ts'
import type { EventAuthor } from '../events.ts'

/** The context of an act on an order: of a member, of somebody with a link, of a sweep. `by` is the author of its events. */
export type ActContext = Pick<
  Context,
  'tx' | 'companyId' | 'clock' | 'services' | 'audit' | 'enqueue' | 'afterCommit' | 'locale'
> & {
  by: EventAuthor
  /** Whether refusals may name devices that are private. */
  seesPrivate: boolean
}

/** The circumstances of an act. */
export interface Act {
  /** When it happened; left out: now. */
  at?: Date | undefined
  /** Made by a phone: the same one again does nothing. */
  requestId?: string | undefined
  position?: { lat: number; lon: number } | null | undefined
}

export const actContext = (ctx: Context): ActContext => ({
  ...ctx,
  by: { source: 'person', name: ctx.person.fullname, userId: ctx.person.id },
  seesPrivate: seesPrivate(ctx.person),
})

interface Acting extends Pick<ActContext, 'by' | 'seesPrivate'> {
  companyId: number
  actor: Actor
  address?: string
  agent?: string
  locale?: ActContext['locale']
}

/** Acts in a transaction of its own, without a session: audit entries before the commit, live events after it. */
export async function acting<T>(services: Services, given: Acting, work: (ctx: ActContext) => Promise<T>): Promise<T> {
  const entries: AuditEntry[] = []
  const waiting: (() => void)[] = []
  const { companyId, by, locale = 'en', actor } = given
  const origin = { address: given.address ?? '', agent: given.agent ?? 'job', requestId: '' }
  const result = await inTenant(services.pool, companyId, async ({ tx, client }) => {
    const ctx: ActContext = {
      ...{ tx, companyId, by, locale, services, clock: services.clock, seesPrivate: given.seesPrivate },
      audit: (entry) => void entries.push(entry),
      enqueue: (job, payload) => withLogin(tx, () => services.enqueue(client, job, payload)),
      afterCommit: (afterwards) => void waiting.push(afterwards),
    }
    const done = await work(ctx)
    if (entries.length > 0) await writeAudit(tx, companyId, { actor, origin, at: services.clock.now() }, entries)
    return done
  })
  for (const afterwards of waiting) afterwards()
  return result
}
