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

/** Sets a clock that is being wound forward by a step. Undefined: it stands. As pipeline. */
export const stepClock = (tx: Tx, companyId: number, stepMs: number): Promise<ClockRow | undefined> =>
  firstRow<ClockRow>(tx)`update sandbox_clocks set at = least(at + ${stepMs} * interval '1 millisecond', winds_to)
    where company_id = ${companyId} and winds_to is not null returning began_at, at, winds_to`

/** Has a clock that reached its instant stand. As pipeline. */
export const stopClock = (tx: Tx, companyId: number, at: Date) =>
  tx
    .updateTable('sandbox_clocks')
    .set({ winds_to: null })
    .where('company_id', '=', companyId)
    .where('winds_to', '=', at)
    .execute()

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
