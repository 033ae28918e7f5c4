import type { Actor } from '../audit/audit.ts'
import type { Person } from './people.ts'

/** How the audit trail names whoever calls: a person with their role, or a key. */
export const actorOf = ({ id, fullname, role, key }: Person): Extract<Actor, { kind: 'user' | 'key' }> =>
  key ? { id, name: fullname, kind: 'key' } : { id, name: fullname, role, kind: 'user' }
