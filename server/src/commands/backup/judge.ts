import { contentHash, type Parts, signatureHash } from '../../features/records/content-hash.ts'
import type { SignedLedger } from '../../platform/audit/signed-ledger.ts'
import { verifyChain } from '../../platform/audit/verify-chain.ts'
import type { Drill } from '../../platform/backup/drills.ts'
import type { PublicKey } from '../../platform/config/signing-keys.ts'
import type { Client, Pool } from '../../platform/db/pool.ts'
import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import { auditedCompanies, sampleSignatures } from './drill-queries.ts'

export type Checks = Pick<Drill, 'checked' | 'faults'>

interface Against {
  /** The keys of the installation. */
  known: PublicKey[]
  /** Its last signatures at the instant of the database; unset: not known. */
  ledger?: SignedLedger
}

/** Judges a restored database: every audit trail, and some signatures of records. Returns the companies that have a trail. */
export async function judge(pool: Pool, against: Against, checks: Checks): Promise<number[]> {
  const companies = await asPipeline(pool, ({ client }) => auditedCompanies(client))
  await checkTrails(pool, companies, against, checks)
  await checkSignatures(pool, companies, checks)
  return companies
}

async function checkTrails(pool: Pool, companies: number[], { known, ledger }: Against, checks: Checks): Promise<void> {
  let [entries, checkpoints] = [0, 0]
  for (const companyId of companies) {
    const signed = await ledger?.last(companyId)
    const state = await asPipeline(pool, ({ tx }) => verifyChain(tx, companyId, { known, signed }))
    entries += state.entries
    checkpoints += state.checkpoints
    if (state.fault)
      checks.faults.push(
        `The audit trail of company ${companyId} is broken at ${state.fault.from}: ${state.fault.kind}.`,
      )
  }
  Object.assign(checks.checked, { entries, checkpoints })
}

/** Rows of companies taken at random, until there are enough. */
export async function sampled<T>(
  pool: Pool,
  companies: number[],
  max: number,
  rowsOf: (client: Client, max: number) => Promise<T[]>,
): Promise<T[]> {
  const rows: T[] = []
  const shuffled = companies.map((id) => ({ id, at: Math.random() })).sort((a, b) => a.at - b.at)
  for (const { id } of shuffled) {
    if (rows.length >= max) break
    rows.push(...(await inTenant(pool, id, ({ client }) => rowsOf(client, max - rows.length))))
  }
  return rows
}

async function checkSignatures(pool: Pool, companies: number[], checks: Checks): Promise<void> {
  const rows = await sampled(pool, companies, 20, sampleSignatures)
  for (const row of rows) {
    const content = contentHash(row.parts as Parts, row.previous_sha256)
    const own = signatureHash(content, row.previous_sha256, {
      ...{ recordId: row.record_id, signerId: row.signer_id, signerName: row.signer_name, signerRole: row.signer_role },
      ...{ signedAt: row.signed_at, meaning: row.meaning, reason: row.reason },
    })
    if (content !== row.content_sha256.toString('hex') || own !== row.sha256.toString('hex'))
      checks.faults.push(`Signature ${row.id} of company ${row.company_id} does not fit what was signed.`)
  }
  checks.checked.signatures = rows.length
}
