import { allows } from '@isotherm/contract/permissions.ts'
import { loadPerson } from '../../core/people/person.ts'
import { seesPrivate } from '../../core/visibility/visibility.ts'
import { livingSessions } from '../../platform/auth/live-sessions.ts'
import type { Session } from '../../platform/auth/sessions.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import type { CloseReason, Watcher } from './viewer.ts'

type Tools = Pick<Services, 'pool' | 'clock' | 'config'>

/** The rights of a session's person now; undefined once they are archived. */
export async function watcherOf(
  tools: Tools,
  session: Pick<Session, 'hash' | 'companyId' | 'userId' | 'identityId'>,
): Promise<Watcher | undefined> {
  const { companyId } = session
  const person = await inTenant(tools.pool, companyId, ({ tx }) => loadPerson(tx, companyId, session))
  if (!person) return undefined
  return {
    sessionHash: session.hash,
    userId: session.userId,
    seesDevices: allows(person.permissions, 'devices.view'),
    seesAlarms: allows(person.permissions, 'alarms.view'),
    seesOrders: allows(person.permissions, 'dispatch.view'),
    seesPrivate: seesPrivate(person),
    rights: JSON.stringify([person.role, person.permissions]),
  }
}

/** Why streams must end, by session hash as hex: their session is over, or their person's rights are others now. */
export async function findEnded(
  tools: Tools,
  companyId: number,
  watchers: readonly Watcher[],
): Promise<Map<string, CloseReason>> {
  const ended = new Map<string, CloseReason>()
  const living = await livingSessions(
    tools.pool,
    watchers.map((watcher) => watcher.sessionHash),
    tools.clock.now(),
    tools.config.sessions,
  )
  for (const watcher of new Map(watchers.map((each) => [each.sessionHash.toString('hex'), each])).values()) {
    const hash = watcher.sessionHash.toString('hex')
    if (!living.has(hash)) ended.set(hash, 'session')
    else {
      const now = await watcherOf(tools, {
        hash: watcher.sessionHash,
        companyId,
        userId: watcher.userId,
        identityId: '',
      })
      if (!now) ended.set(hash, 'session')
      else if (now.rights !== watcher.rights) ended.set(hash, 'permissions')
    }
  }
  return ended
}
