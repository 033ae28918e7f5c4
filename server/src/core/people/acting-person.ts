import type { Caller } from '../../platform/auth/people.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { findAskingKey } from '../developer/find-key.ts'
import { loadPerson } from './person.ts'
import type { PersonRef } from './person-context.ts'

/**
 * Finds who asked for something that is done later: a person, by their login, or the API key that `userId` is. Undefined once they are gone. In
 * the tenant's transaction.
 */
export const actingPerson = (
  tx: Tx,
  { companyId, userId }: PersonRef,
  identity: { id: string } | undefined,
  now: Date,
): Promise<Caller | undefined> =>
  identity ? loadPerson(tx, companyId, { userId, identityId: identity.id }) : findAskingKey(tx, companyId, userId, now)
