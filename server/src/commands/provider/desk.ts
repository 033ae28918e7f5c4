import { userInfo } from 'node:os'
import { AlreadyDated, InThePast } from '../../core/provider/dated-rows.ts'
import { type DeskAct, noteDeskAct } from '../../core/provider/desk-log.ts'
import { asLogin, type Tx } from '../../platform/db/transaction.ts'
import type { ProviderTools } from './provider-tools.ts'
import { UsageError } from './usage-error.ts'

export const operator = () => process.env.SUDO_USER ?? userInfo().username

/** Changes what belongs to no company, and notes who changed it from what to what, in one transaction. */
export async function changing(
  { pool }: ProviderTools,
  work: (tx: Tx, now: Date) => Promise<Omit<DeskAct, 'operator'> | undefined>,
): Promise<void> {
  const now = new Date()
  try {
    await asLogin(pool, async ({ tx }) => {
      const change = await work(tx, now)
      if (change) await noteDeskAct(tx, { operator: operator(), ...change }, now)
    })
  } catch (error) {
    if (error instanceof AlreadyDated)
      throw new UsageError('There is one from that instant already: it is not edited. Give another --from.')
    if (error instanceof InThePast)
      throw new UsageError('--from lies in the past, in which another was in force: that stays as it was.')
    throw error
  }
}
