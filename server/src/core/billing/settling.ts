import type { Context } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'

/** The transaction that settles a payment, and its time. */
export type Settling = Transaction & Pick<Context, 'afterCommit'> & { services: Services; companyId: number; now: Date }
