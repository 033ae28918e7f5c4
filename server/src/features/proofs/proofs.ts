import { type CheckedProof, type RecordProof, RecordStatement } from '@isotherm/contract/proofs.ts'
import { findCompany } from '../../core/company/company.ts'
import { canonical } from '../../platform/audit/audit.ts'
import { signingKeys } from '../../platform/config/signing-keys.ts'
import type { Context } from '../../platform/context.ts'
import { checkJws, signJws } from '../../platform/secrets/jws.ts'

/** The facts of a record that is over, for somebody who sees all of it; throws NOT_FOUND, RECORD_NOT_ENDED or RECORD_PARTLY_HIDDEN. */
export type FactsSource = (
  ctx: Context,
  recordId: string,
) => Promise<Pick<RecordStatement, 'record' | 'verdict' | 'devices' | 'contentSha256' | 'signatures'>>

const type = 'isotherm-proof+jws'

/** Signs the facts of a record with the installation's key. Throws what the source of the facts throws. */
export async function proveRecord(ctx: Context, facts: FactsSource, recordId: string): Promise<RecordProof> {
  const { config } = ctx.services
  const statement: RecordStatement = {
    type: 'isotherm-record-v1',
    issuer: config.publicUrl,
    issuedAt: ctx.clock.now().toISOString(),
    company: { id: String(ctx.companyId), name: (await findCompany(ctx.tx, ctx.companyId)).name },
    ...(await facts(ctx, recordId)),
  }
  const keys = await signingKeys(config.dataDir)
  ctx.audit({
    action: 'records.proved',
    target: { kind: 'record', id: recordId, name: statement.record.name },
    after: { contentSha256: statement.contentSha256 },
  })
  return { statement, keyId: keys.id, jws: signJws(keys, type, canonical(statement)) }
}

/** Whether this installation signed a proof; the statement is given only where it did. */
export async function checkProof(dataDir: string, jws: string): Promise<CheckedProof> {
  const checked = checkJws((await signingKeys(dataDir)).known, type, jws)
  if ('fault' in checked) return { isGenuine: false, fault: checked.fault, keyId: checked.keyId, statement: null }
  const statement = RecordStatement.parse(JSON.parse(checked.payload))
  return { isGenuine: true, fault: null, keyId: checked.keyId, statement }
}
