import { sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'

/** The clock of a sandbox. */
export interface ClockRow {
  began_at: Date
  at: Date
  /** The instant that it is being wound to; null: it stands. */
  winds_to: Date | null
}

export const findClock = ({ tx, companyId }: TenantTx): Promise<ClockRow | undefined> =>
  firstRow<ClockRow>(tx)`select began_at, at, winds_to from sandbox_clocks where company_id = ${companyId}`

/** The time of a sandbox; undefined: it has no clock, or the company is no sandbox. */
export const sandboxNow = async (tx: Tx, companyId: number): Promise<Date | undefined> =>
  (await findClock({ tx, companyId }))?.at

/** The clock, locked: of two who wind it at once the second waits here. */
export const lockClock = ({ tx, companyId }: TenantTx): Promise<ClockRow | undefined> =>
  firstRow<ClockRow>(
    tx,
  )`select began_at, at, winds_to from sandbox_clocks where company_id = ${companyId} for no key update`

export const insertClock = ({ tx, companyId }: TenantTx, at: Date) =>
  tx.insertInto('sandbox_clocks').values({ company_id: companyId, began_at: at, at }).execute()

/** Has the clock wound to an instant; null: it stands where it is. */
export const setWindsTo = ({ tx, companyId }: TenantTx, to: Date | null) =>
  tx.updateTable('sandbox_clocks').set({ winds_to: to }).where('company_id', '=', companyId).execute()

/** For so long a step holds its clock, unless it says that it goes on: one of a server that was killed or hangs holds it no longer. */
const heldFor = sql`interval '60 seconds'`

/**
 * Sets a clock that is being wound forward by a step, and holds it for `stepId`. Undefined: it stands, or another step holds it, of this server or
 * another one. As pipeline.
 */
export const beginStep = (tx: Tx, companyId: number, stepId: string, stepMs: number): Promise<ClockRow | undefined> =>
  firstRow<ClockRow>(tx)`update sandbox_clocks set at = least(at + ${stepMs} * interval '1 millisecond', winds_to),
      stepped_by = ${stepId}, stepped_until = clock_timestamp() + ${heldFor}
    where company_id = ${companyId} and winds_to is not null
      and (stepped_by is null or stepped_until < clock_timestamp())
    returning began_at, at, winds_to`

/**
 * Whether a step still holds its clock, for as long again from now; no other can begin while the transaction is open. False where it took too long and
 * another one began. As pipeline.
 */
export const holdStep = async (tx: Tx, companyId: number, stepId: string): Promise<boolean> =>
  (await firstRow<object>(tx)`update sandbox_clocks set stepped_until = clock_timestamp() + ${heldFor}
    where company_id = ${companyId} and stepped_by = ${stepId} returning company_id`) !== undefined

/** Ends a step that holds its clock; one that reached its instant stands from now on. As pipeline. */
export const endStep = (tx: Tx, companyId: number, stepId: string, isDone: boolean) =>
  sql`update sandbox_clocks set stepped_by = null, stepped_until = null,
      winds_to = case when ${isDone} and winds_to = at then null else winds_to end
    where company_id = ${companyId} and stepped_by = ${stepId}`.execute(tx)

/** The sandboxes whose clock is being wound. As pipeline. */
export const readWinding = async (tx: Tx): Promise<number[]> =>
  (await allRows<{ id: number }>(tx)`select company_id as id from sandbox_clocks where winds_to is not null`).map(
    ({ id }) => id,
  )

export interface ScenarioRow {
  kind: string
  began_at: Date
}

export const readScenarios = (tx: Tx, companyId: number): Promise<ScenarioRow[]> => allRows<ScenarioRow>(tx)`
  select kind, began_at from sandbox_scenarios where company_id = ${companyId} order by id`

export const insertScenario = ({ tx, companyId }: TenantTx, kind: string, at: Date) =>
  tx.insertInto('sandbox_scenarios').values({ company_id: companyId, kind, began_at: at }).execute()
