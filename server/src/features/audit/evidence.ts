import { Readable } from 'node:stream'
import type { CheckpointFile } from '@isotherm/contract/audit.ts'
import { findCompany } from '../../core/company/company.ts'
import { BrokenTrail, checkpointsOf, signTrail } from '../../platform/audit/checkpoint.ts'
import type { Signed } from '../../platform/audit/signed-ledger.ts'
import { entryOf } from '../../platform/audit/walk-chain.ts'
import { signingKeys } from '../../platform/config/signing-keys.ts'
import type { Context } from '../../platform/context.ts'
import type { FileBody } from '../../platform/http/serve.ts'
import { inTurns } from '../../platform/loop/turns.ts'
import { trailBetween } from './queries.ts'
import { trailPages } from './trail-pages.ts'

/** An entry about a drawn place or a rule may be 60 KB long. */
const perTurn = 5

/** The checkpoint file, with a checkpoint of this moment unless the trail is broken since the last one. */
async function checkpointFile(ctx: Context): Promise<CheckpointFile> {
  const { config, ledger, log } = ctx.services
  const keys = await signingKeys(config.dataDir)
  const signed = await ledger.last(ctx.companyId)
  const now = ctx.clock.now()
  const made = await signTrail(ctx.tx, ctx.companyId, { keys, signed, now }).catch((error: unknown) => {
    if (!(error instanceof BrokenTrail)) throw error
    log.error({ companyId: ctx.companyId }, error.message)
    return null
  })
  if (made)
    ctx.afterCommit(() => {
      ledger.note([made]).catch((err: unknown) => log.error({ err }, 'a signed checkpoint was not noted in DATA_DIR'))
    })
  const { name } = await findCompany(ctx.tx, ctx.companyId)
  return {
    format: 'isotherm-audit-checkpoints-1',
    company: { id: String(ctx.companyId), name },
    keys: keys.known,
    checkpoints: await checkpointsOf(ctx.tx, ctx.companyId),
  }
}

/** The checkpoints as a file, with the keys that prove them. */
export async function exportCheckpoints(ctx: Context): Promise<FileBody> {
  const file = await checkpointFile(ctx)
  ctx.audit({ action: 'audit.checkpointsExported', after: { count: file.checkpoints.length } })
  return { body: `${JSON.stringify(file, null, 1)}\n`, filename: `audit-checkpoints-${nameOf(ctx)}.json` }
}

/**
 * The trail up to now: a line that says what it is, the checkpoint file's content and what this server signed last, then every
 * entry with its hash.
 */
export async function exportEvidence(ctx: Context): Promise<FileBody> {
  const file = await checkpointFile(ctx)
  const last = file.checkpoints.at(-1)?.seq ?? '0'
  ctx.audit({ action: 'audit.evidenceExported', after: { count: Number(last) } })
  const signed = await ctx.services.ledger.last(ctx.companyId)
  return {
    body: Readable.from(lines(ctx, { ...file, signed: signed ?? null }, last)),
    filename: `audit-trail-${nameOf(ctx)}.jsonl`,
  }
}

const nameOf = (ctx: Context) => ctx.clock.now().toISOString().slice(0, 10)

async function* lines(ctx: Context, file: CheckpointFile & { signed: Signed | null }, last: string) {
  yield `${JSON.stringify({ ...file, format: 'isotherm-audit-trail-1' })}\n`
  const pages = trailPages<Awaited<ReturnType<typeof trailBetween>>[number]>(ctx, (tx, before, limit) =>
    trailBetween(tx, ctx.companyId, before?.seq ?? '0', last, limit),
  )
  for await (const rows of pages)
    for await (const some of inTurns(rows, perTurn))
      yield some.map((row) => `${JSON.stringify({ ...entryOf(row), hash: row.hash.toString('hex') })}\n`).join('')
}
