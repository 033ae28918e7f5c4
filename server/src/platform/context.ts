import type { Locale } from '@isotherm/contract/common.ts'
import type { Permission } from '@isotherm/contract/permissions.ts'
import type { Actor, AuditEntry, Origin } from './audit/audit.ts'
import type { Person } from './auth/people.ts'
import type { Session } from './auth/sessions.ts'
import type { Clock } from './clock/clock.ts'
import type { Tx } from './db/transaction.ts'
import type { Job, Services } from './services.ts'

/** The context of every handler, logged in or not. */
export interface PublicContext {
  services: Services
  clock: Clock
  locale: Locale
  origin: Origin
}

/** The context of a verb: one transaction, as one person, in one company. */
export interface Context extends PublicContext {
  tx: Tx
  companyId: number
  actor: Actor
  person: Person
  /** The session that calls; left out where nobody is logged in. */
  session?: Session
  /** Hash of the token the call came with. */
  sessionHash: Buffer
  /** Names the call by the Idempotency-Key that it came with and by what it asks for; null: it came without one. */
  callKey: Buffer | null
  can(permission: Permission): boolean
  /** Writes to the audit trail, in this transaction. Every call that changes something leaves at least one entry. */
  audit(entry: AuditEntry): void
  /** Enqueues a job in this transaction: it runs only if the transaction commits. */
  enqueue<P>(job: Job<P>, payload: P): Promise<void>
  /** Runs once the transaction has committed; must not throw. */
  afterCommit(work: () => void): void
}

/** Queries that need the company alone. */
export type TenantTx = Pick<Context, 'tx' | 'companyId'>

/** The person who looks: decides which rows are visible. */
export type ViewerIdentity = Pick<Context, 'companyId' | 'person'>

/** Queries that show a person what they may see. */
export type ViewerTx = TenantTx & ViewerIdentity

/** The same, where the answer depends on the time. */
export type Viewer = ViewerTx & Pick<Context, 'clock'>

/** The same, where the answer depends on a permission. */
export type PermittedViewer = ViewerTx & Pick<Context, 'can'>
