import type { Module } from '@isotherm/contract/permissions.ts'
import type { Selectable } from 'kysely'
import type { Plans } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export type PlanRow = Selectable<Plans>

/** The numbers of a plan that people choose. */
export interface PlanNumbers {
  name: string
  devices: number
  users: number
  emails: number
  phones: number
  retention_months: number
  /** The modules of the product that it has. */
  modules: Module[]
}

/** A plan that is added; without modules it has all of them. */
export type NewPlan = Omit<PlanNumbers, 'modules'> & Partial<Pick<PlanNumbers, 'modules'>> & { code: string }

// All of them as the login role.

export const insertPlan = (tx: Tx, plan: NewPlan, now: Date): Promise<PlanRow | undefined> =>
  tx
    .insertInto('plans')
    .values({ ...plan, created_at: now })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returningAll()
    .executeTakeFirst()

/** Locked until the transaction ends. */
export const findPlan = (tx: Tx, code: string): Promise<PlanRow | undefined> =>
  tx.selectFrom('plans').selectAll().where('code', '=', code).forNoKeyUpdate().executeTakeFirst()

export const planById = (tx: Tx, id: number): Promise<PlanRow> =>
  tx.selectFrom('plans').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

export const updatePlan = (
  tx: Tx,
  id: number,
  change: Partial<PlanNumbers> & { archived_at?: Date | null },
): Promise<PlanRow> => tx.updateTable('plans').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

/** The smallest first; archived ones last. */
export const listPlans = (tx: Tx): Promise<PlanRow[]> =>
  tx
    .selectFrom('plans')
    .selectAll()
    .orderBy((eb) => eb('archived_at', 'is not', null))
    .orderBy('devices')
    .orderBy('id')
    .execute()

/** The smallest plan that is sold. */
export const smallestPlan = (tx: Tx): Promise<PlanRow | undefined> =>
  tx
    .selectFrom('plans')
    .selectAll()
    .where('archived_at', 'is', null)
    .orderBy('devices')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
