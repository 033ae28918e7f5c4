import type { Insertable, Selectable } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { countRows, firstRow } from '../../platform/db/rows.ts'
import type { Sandboxes } from '../../platform/db/schema.ts'
import { AppError } from '../../platform/errors/app-error.ts'

export type SandboxRow = Selectable<Sandboxes>

/** The sandbox of a company that has not ended. */
export const findSandbox = ({ tx, companyId }: TenantTx) =>
  firstRow<SandboxRow>(tx)`select * from sandboxes where company_id = ${companyId} and ended_at is null`

/** The same. Throws SANDBOX_NONE. */
export async function loadSandbox(ctx: TenantTx): Promise<SandboxRow> {
  const row = await findSandbox(ctx)
  if (!row) throw new AppError('SANDBOX_NONE')
  return row
}

/** How many the company made after an instant, ended ones too. */
export const countMade = ({ tx, companyId }: TenantTx, after: Date): Promise<number> =>
  countRows(tx)`select count(*)::int as n from sandboxes where company_id = ${companyId} and made_at > ${after}`

export const insertSandbox = ({ tx }: TenantTx, row: Insertable<Sandboxes>) =>
  tx.insertInto('sandboxes').values(row).returningAll().executeTakeFirstOrThrow()

export const closeSandbox = ({ tx, companyId }: TenantTx, sandboxId: number, ended: { at: Date; byName: string }) =>
  tx
    .updateTable('sandboxes')
    .set({ ended_at: ended.at, ended_by_name: ended.byName })
    .where('company_id', '=', companyId)
    .where('sandbox_id', '=', sandboxId)
    .execute()
