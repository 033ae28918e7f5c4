import type { PermissionMatrix, Role } from '@isotherm/contract/permissions.ts'
import type { Tx } from '../db/transaction.ts'

/** How a call asks for its caller: the tables of people and companies are core's, which implements this (core/people/people.ts). */
export interface People {
  /** The person behind a session with their language, or undefined once archived. In the tenant's transaction. */
  find(
    tx: Tx,
    companyId: number,
    session: { userId: string; identityId: string },
  ): Promise<(Person & { locale: string }) | undefined>
  /** Throws SUBSCRIPTION_EXPIRED where the company may begin nothing new. In the tenant's transaction. */
  refuseExpired(tx: Tx, companyId: number, now: Date): Promise<void>
}

export interface Person {
  id: string
  identityId: string
  fullname: string
  email: string
  role: Role
  permissions: PermissionMatrix
}
