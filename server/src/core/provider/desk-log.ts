import type { Selectable } from 'kysely'
import type { DeskLog } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export type DeskEntry = Selectable<DeskLog>

export interface DeskAct {
  operator: string
  /** Such as `plans.changed`. */
  act: string
  target: string
  before?: object | null
  after?: object | null
}

/** Notes what the desk changed of what belongs to no company, in the same transaction. As the login role. */
export async function noteDeskAct(tx: Tx, { operator, act, target, before, after }: DeskAct, now: Date): Promise<void> {
  const json = (value: object | null | undefined) => (value ? JSON.stringify(value) : null)
  await tx
    .insertInto('desk_log')
    .values({ at: now, operator, action: act, target, before: json(before), after: json(after) })
    .execute()
}

export const listDeskActs = (tx: Tx, max: number): Promise<DeskEntry[]> =>
  tx.selectFrom('desk_log').selectAll().orderBy('id', 'desc').limit(max).execute()

/** Whether an act on a target was noted already. */
export const isDeskActNoted = async (tx: Tx, { act, target }: Pick<DeskAct, 'act' | 'target'>): Promise<boolean> =>
  (await tx
    .selectFrom('desk_log')
    .select('id')
    .where('action', '=', act)
    .where('target', '=', target)
    .executeTakeFirst()) !== undefined
