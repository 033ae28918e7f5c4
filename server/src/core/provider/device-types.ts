import type { TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export interface Approval {
  type: string
  number: string
}

/** The types of hardware that the PPECB approved. */
export const approvals = (tx: Tx): Promise<Approval[]> =>
  allRows<Approval>(tx)`select type, ppecb_approval_no as number from device_types order by type`

/** Whether there is, or was, hardware of a type: in stock, or approved. */
export async function isKnownType(tx: Tx, type: string): Promise<boolean> {
  const rows = await allRows(tx)`
    select from hardware where type = ${type} union all select from device_types where type = ${type} limit 1`
  return rows.length > 0
}

/** Sets the approval number of a type, or takes it away (null); returns the one before. As the login role. */
export async function setApproval(tx: Tx, type: string, number: string | null): Promise<string | null> {
  const before = (await approvals(tx)).find((one) => one.type === type)?.number ?? null
  if (number === null) await tx.deleteFrom('device_types').where('type', '=', type).execute()
  else
    await tx
      .insertInto('device_types')
      .values({ type, ppecb_approval_no: number })
      .onConflict((conflict) => conflict.column('type').doUpdateSet({ ppecb_approval_no: number }))
      .execute()
  return before
}

/** The approved ones among some devices of a company, with the number of their type. */
export const approvedOf = ({ tx, companyId }: TenantTx, deviceIds: readonly number[]) =>
  allRows<{ id: number; number: string }>(tx)`
    select d.id, t.ppecb_approval_no as number from devices d join device_types t on t.type = d.type
    where d.company_id = ${companyId} and d.id = any(${deviceIds}::int4[])`
