import type { Checkpoint } from '@isotherm/contract/audit.ts'
import type { Selectable } from 'kysely'
import type { AuditCheckpoints, AuditLog } from '../db/schema.ts'
import type { Tx } from '../db/transaction.ts'

export type TrailRow = Selectable<AuditLog>

/** A company's trail as it is stored, for those who judge it. */
export interface TrailSource {
  companyId: number
  /** Entries after number `seq` in their order, at most `limit`. */
  after(seq: number, limit: number): Promise<TrailRow[]>
  /** The number of the first entry but `seq` that says it follows `previous`; 0 where there is none. */
  follower(previous: Buffer, seq: number): Promise<number>
  /** The mark of the trail's end. */
  head(): Promise<{ seq: number; hash: Buffer } | undefined>
  /** All checkpoints, by number. */
  checkpoints(): Promise<Checkpoint[]>
  /** The newest, and that of one number. */
  newestCheckpoint(): Promise<Checkpoint | undefined>
  checkpoint(number: number): Promise<Checkpoint | undefined>
}

export const presentCheckpoint = (row: Selectable<AuditCheckpoints>): Checkpoint => ({
  company: String(row.company_id),
  number: Number(row.number),
  seq: row.seq,
  hash: row.hash.toString('hex'),
  count: Number(row.count),
  at: row.at.toISOString(),
  keyId: row.key_id,
  signature: row.signature.toString('base64url'),
})

/** The trail in the database. In the tenant's transaction (or the pipeline's). */
export function storedTrail(tx: Tx, companyId: number): TrailSource {
  const entries = () => tx.selectFrom('audit_log').where('company_id', '=', companyId)
  const checkpoints = () => tx.selectFrom('audit_checkpoints').selectAll().where('company_id', '=', companyId)
  return {
    companyId,
    after: (seq, limit) => entries().selectAll().where('seq', '>', String(seq)).orderBy('seq').limit(limit).execute(),
    async follower(previous, seq) {
      const row = await entries()
        .select('seq')
        .where('prev_hash', '=', previous)
        .where('seq', '<>', String(seq))
        .orderBy('seq')
        .limit(1)
        .executeTakeFirst()
      return Number(row?.seq ?? 0)
    },
    async head() {
      const row = await tx
        .selectFrom('audit_heads')
        .select(['seq', 'hash'])
        .where('company_id', '=', companyId)
        .executeTakeFirst()
      return row && { seq: Number(row.seq), hash: row.hash }
    },
    checkpoints: async () => (await checkpoints().orderBy('number').execute()).map(presentCheckpoint),
    async newestCheckpoint() {
      const row = await checkpoints().orderBy('number', 'desc').limit(1).executeTakeFirst()
      return row && presentCheckpoint(row)
    },
    async checkpoint(number) {
      const row = await checkpoints().where('number', '=', String(number)).executeTakeFirst()
      return row && presentCheckpoint(row)
    },
  }
}
