import { type AuditEntry, genesis, writeAudit } from '../../platform/audit/audit.ts'
import { holds } from '../../platform/audit/checkpoint.ts'
import { type Signed, SignedLedger } from '../../platform/audit/signed-ledger.ts'
import { storedTrail } from '../../platform/audit/trail-source.ts'
import { verifyChain } from '../../platform/audit/verify-chain.ts'
import { type PublicKey, signingKeys } from '../../platform/config/signing-keys.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import type { ProviderTools } from './provider-tools.ts'
import { UsageError } from './usage-error.ts'

/**
 * Takes the database for true where it is behind what this server signed, as after a restore of an older state: each trail gets an
 * entry that says so, and is signed on from where it is. A trail that is broken otherwise is left as it is.
 */
export async function acceptRestore(tools: ProviderTools, reason: string | undefined): Promise<void> {
  const { dataDir, out, warn } = tools
  if (!dataDir) throw new UsageError('No DATA_DIR, where the keys are.')
  if (!reason?.trim()) throw new UsageError('--reason is needed: what was restored, of when, and why')
  const ledger = new SignedLedger(dataDir)
  const { known } = await signingKeys(dataDir)
  let accepted = 0
  for (const signed of await ledger.all()) {
    const outcome = await acceptTrail(tools, ledger, { signed, known, reason: reason.trim().slice(0, 500) })
    if (outcome.refused) warn(outcome.refused)
    else if (outcome.state) {
      accepted += 1
      out(`company ${signed.company}: signed to entry ${signed.seq}, goes on from entry ${outcome.state.seq}`)
    }
  }
  out(accepted === 0 ? 'No trail was accepted.' : `Accepted: ${accepted}. Each trail has an entry that says so.`)
}

interface Acceptance {
  signed: Signed
  known: PublicKey[]
  reason: string
}

async function acceptTrail({ pool }: ProviderTools, ledger: SignedLedger, { signed, known, reason }: Acceptance) {
  const companyId = Number(signed.company)
  const now = new Date()
  const result = await inTenant(pool, companyId, async ({ tx, client }) => {
    const trail = storedTrail(tx, companyId)
    if (holds(await trail.checkpoint(signed.number), signed)) return {}
    const { rowCount } = await client.query('select from companies where company_id = $1', [companyId])
    if (!rowCount) return { refused: `company ${companyId} is not in the database any more: left as it is` }
    const { fault } = await verifyChain(tx, companyId, { known })
    if (fault)
      return {
        refused: `company ${companyId}: the trail is broken at entry ${fault.from} (${fault.kind}): left as it is`,
      }
    const newest = await trail.newestCheckpoint()
    const state: Signed = {
      company: signed.company,
      number: newest?.number ?? 0,
      seq: newest?.seq ?? '0',
      hash: newest?.hash ?? genesis.toString('hex'),
    }
    await writeAudit(tx, companyId, { ...provider, at: now }, [entryOf(signed, state, reason)])
    return { state }
  })
  if (result.state) await ledger.accept(result.state, { at: now.toISOString(), reason })
  return result
}

const provider = {
  actor: { kind: 'system' as const, name: 'provider' },
  origin: { address: '', agent: 'provider', requestId: '' },
}

const entryOf = (signed: Signed, state: Signed, reason: string): AuditEntry => ({
  action: 'audit.restoreAccepted',
  before: { signedCheckpoint: signed.number, signedTo: signed.seq, signedHash: signed.hash },
  after: { signedCheckpoint: state.number, signedTo: state.seq, signedHash: state.hash },
  reason,
})
