import type { SignRecord } from '@isotherm/contract/records.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import { identityById } from '../../platform/auth/identities.ts'
import { checkPassword } from '../../platform/auth/passwords.ts'
import type { Context } from '../../platform/context.ts'
import { inTenant, withLogin } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { changedParts, contentHash, partsOf, signatureHash } from './content-hash.ts'
import { touchedAt } from './content-queries.ts'
import { lockRecord, seenMembers } from './policy.ts'
import { type JudgedSignature, target } from './present.ts'
import { insertSignature, refusedSignatures, type SignatureRow, signaturesOf } from './queries.ts'
import { membersOf } from './visibility-queries.ts'

/**
 * Signs a record that is over (21 CFR 11.50, 11.70, 11.200). The password is checked again, and the content must be the one
 * the signer saw: a forged, stale or repeated request is refused. Throws NOT_FOUND, TOO_MANY_REQUESTS, WRONG_PASSWORD,
 * RECORD_NOT_ENDED, RECORD_PARTLY_HIDDEN, RECORD_CHANGED or RECORD_SIGNED_SO.
 */
export async function signRecord(ctx: Context, id: string, input: SignRecord): Promise<JudgedSignature> {
  const record = await lockRecord(ctx, id)
  await checkSigner(ctx, record, input.password)
  if (record.state !== 'ended') throw new AppError('RECORD_NOT_ENDED')
  const members = await membersOf(ctx, record)
  if ((await seenMembers(ctx, record, members)).length !== members.length) throw new AppError('RECORD_PARTLY_HIDDEN')
  const signatures = await signaturesOf(ctx, [id])
  const last = signatures.at(-1) ?? null
  const previous = last?.sha256 ?? null
  const parts = await partsOf(ctx, record, { isFresh: true })
  const content = contentHash(parts, previous)
  if (input.contentSha256 !== undefined && content !== input.contentSha256) throw new AppError('RECORD_CHANGED')
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
  const sha256 = signatureHash(content, previous, signed)
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
    content_sha256: Buffer.from(content, 'hex'),
    previous_sha256: previous,
    sha256: Buffer.from(sha256, 'hex'),
  })
  ctx.audit({
    action: 'records.signed',
    target: target(record),
    after: { signature: row.id, meaning: input.meaning, contentSha256: content, sha256 },
    reason: input.reason,
  })
  return { row, changed: changedParts(row, last, parts, await touchedAt(ctx, id)) }
}

const wrongTries = { most: 10, windowMs: 15 * 60_000 } as const

/** A reviewer may sign many records in a row; who gets the password wrong ten times in a quarter of an hour waits. */
async function refuseGuesser(ctx: Context) {
  const now = ctx.clock.now().getTime()
  const tries = await refusedSignatures(ctx, new Date(now - wrongTries.windowMs), wrongTries.most)
  const first = tries[wrongTries.most - 1]?.getTime()
  if (first === undefined) return
  const seconds = Math.max(1, Math.ceil((first + wrongTries.windowMs - now) / 1000))
  throw new AppError('TOO_MANY_REQUESTS', { seconds }, seconds)
}

/** A signer enters the password again; a failure is written to the audit trail, though nothing else is kept. */
async function checkSigner(ctx: Context, record: { id: string; name: string }, password: string) {
  await refuseGuesser(ctx)
  const identity = await withLogin(ctx.tx, () => identityById(ctx.tx, ctx.person.identityId))
  if (await checkPassword(password, identity?.passwordHash)) return
  const about = { actor: ctx.actor, origin: ctx.origin, at: ctx.clock.now() }
  await inTenant(ctx.services.pool, ctx.companyId, ({ tx }) =>
    writeAudit(tx, ctx.companyId, about, [{ action: 'records.signatureRefused', target: target(record) }]),
  )
  throw new AppError('WRONG_PASSWORD')
}
