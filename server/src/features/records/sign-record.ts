import type { SignRecord } from '@isotherm/contract/records.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { checkSigner } from './check-signer.ts'
import { changedParts, contentHash, contentOf, signatureHash } from './content-hash.ts'
import { touchedAt } from './content-queries.ts'
import { lockRecord, seenMembers } from './policy.ts'
import { type JudgedSignature, target } from './present.ts'
import { insertSignature, type SignatureRow, signaturesOf } from './queries.ts'
import { membersOf } from './visibility-queries.ts'

/**
 * Signs a record that is over (21 CFR 11.50, 11.70, 11.200). The password, or a fresh proof by single sign-on, is checked again, and the content must be the one
 * the signer saw: a forged, stale or repeated request is refused. Throws NOT_FOUND, TOO_MANY_REQUESTS, WRONG_PASSWORD, SECOND_FACTOR_WRONG, PROOF_NEEDED,
 * SSO_PROOF_NEEDED, VALIDATION, RECORD_NOT_ENDED, RECORD_PARTLY_HIDDEN, RECORD_CHANGED or RECORD_SIGNED_SO.
 */
export async function signRecord(ctx: Context, id: string, input: SignRecord): Promise<JudgedSignature> {
  const record = await lockRecord(ctx, id)
  await checkSigner(ctx, record, input)
  if (record.state !== 'ended') throw new AppError('RECORD_NOT_ENDED')
  const members = await membersOf(ctx, record)
  if ((await seenMembers(ctx, record, members)).length !== members.length) throw new AppError('RECORD_PARTLY_HIDDEN')
  const signatures = await signaturesOf(ctx, [id])
  const last = signatures.at(-1) ?? null
  const previous = last?.sha256 ?? null
  const content = await contentOf(ctx, record, { isFresh: true })
  const { parts } = content
  const hash = contentHash(parts, previous)
  if (input.contentSha256 !== undefined && hash !== input.contentSha256) throw new AppError('RECORD_CHANGED')
  const isSame = (one: SignatureRow) =>
    one.signer_id === ctx.person.id && one.meaning === input.meaning && one.reason === input.reason
  if (input.contentSha256 === undefined && signatures.some(isSame)) throw new AppError('RECORD_SIGNED_SO')
  const signed = {
    recordId: id,
    signerId: ctx.person.id,
    signerName: ctx.person.fullname,
    signerRole: ctx.person.role,
    signedAt: ctx.clock.now(),
    meaning: input.meaning,
    reason: input.reason,
  }
  const sha256 = signatureHash(hash, previous, signed)
  const row = await insertSignature(ctx, {
    company_id: ctx.companyId,
    record_id: id,
    meaning: input.meaning,
    reason: input.reason,
    signer_id: signed.signerId,
    signer_name: signed.signerName,
    signer_role: signed.signerRole,
    signed_at: signed.signedAt,
    parts: JSON.stringify(parts),
    content_sha256: Buffer.from(hash, 'hex'),
    previous_sha256: previous,
    sha256: Buffer.from(sha256, 'hex'),
  })
  ctx.audit({
    action: 'records.signed',
    target: target(record),
    after: { signature: row.id, meaning: input.meaning, contentSha256: hash, sha256 },
    reason: input.reason,
  })
  return { row, changed: changedParts(row, last, content, await touchedAt(ctx, id)) }
}
