import type { Tx } from '../../platform/db/transaction.ts'

// As the login role: of the whole installation.

/** The units a day that critical alarms of a company may overdraw each wallet, where the company has no number of its own. */
export const overdraftOfAll = async (tx: Tx): Promise<number> =>
  (await tx.selectFrom('unit_settings').select('overdraft_units').executeTakeFirstOrThrow()).overdraft_units

export const setOverdraftOfAll = (tx: Tx, units: number) =>
  tx.updateTable('unit_settings').set({ overdraft_units: units }).execute()
