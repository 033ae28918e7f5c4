import type { Actor } from '../audit/audit.ts'
import type { Person } from './people.ts'

/** How the audit trail names whoever calls: a person with their role, or a key. */
export const actorOf = ({ id, fullname, role, key }: Person): Extract<Actor, { kind: 'user' | 'key' }> =>
  key ? { kind: 'key', id, name: fullname } : { kind: 'user', id, name: fullname, role }
