import type { PublicKey } from '../config/signing-keys.ts'
import type { Pool } from '../db/pool.ts'
import { asPipeline } from '../db/transaction.ts'
import { genuineOf } from './checkpoint.ts'
import type { SignedLedger } from './signed-ledger.ts'
import { presentCheckpoint } from './trail-source.ts'

/** Notes checkpoints that the ledger has not heard of: of an earlier version, or of a server that stopped before it noted them. */
export async function noteKnown(pool: Pool, ledger: SignedLedger, known: PublicKey[]): Promise<void> {
  const newest = await asPipeline(pool, ({ tx }) =>
    tx
      .selectFrom('audit_checkpoints')
      .selectAll()
      .distinctOn('company_id')
      .orderBy('company_id')
      .orderBy('number', 'desc')
      .execute(),
  )
  const noted = new Map((await ledger.all()).map(({ company, number }) => [company, number]))
  const fresh = newest.map(presentCheckpoint).filter(({ company, number }) => number > (noted.get(company) ?? 0))
  const genuine = await Promise.all(fresh.map((each) => genuineOf([each], Number(each.company), known)))
  await ledger.note(genuine.flatMap((some) => [...some]))
}
