import type { Beginning } from '@isotherm/contract/call.ts'
import type { PermissionMatrix, Role } from '@isotherm/contract/permissions.ts'
import type { Tx } from '../db/transaction.ts'

/** How a call asks for its caller: the tables of people and companies are core's, which implements this (core/people/people.ts). */
export interface People {
  /** The person behind a session with their language, or undefined once archived. In the tenant's transaction. */
  find(tx: Tx, companyId: number, session: { userId: string; identityId: string }): Promise<Caller | undefined>
  /**
   * The key behind a call, with what it may do now, as the person that it acts as. In the tenant's transaction. Throws KEY_REVOKED, KEY_EXPIRED or
   * KEY_WRONG_NETWORK.
   */
  findKey(tx: Tx, companyId: number, keyId: string, from: { now: Date; address: string }): Promise<Caller>
  /** The time by the clock of a sandbox; undefined: it goes with the real time. In the tenant's transaction. */
  sandboxNow(tx: Tx, companyId: number): Promise<Date | undefined>
  /** Throws SUBSCRIPTION_EXPIRED where the company may begin nothing new. In the tenant's transaction. */
  refuseExpired(tx: Tx, companyId: number, now: Date): Promise<void>
  /**
   * Counts what a call may add to, of what plans limit, before its verb; what comes back counts again and throws LIMIT_REACHED or
   * SUBSCRIPTION_EXPIRED. In the tenant's transaction.
   */
  watchPlan(of: { tx: Tx; companyId: number }, what: Beginning, now: Date): Promise<() => Promise<void>>
}

export interface Person {
  id: string
  identityId: string
  fullname: string
  email: string
  role: Role
  permissions: PermissionMatrix
  /** Set where no person calls but an API key, whose role means nothing. */
  key?: { seesPrivate: boolean; isInSandbox: boolean }
}
/** With their language. */
export type Caller = Person & { locale: string }
