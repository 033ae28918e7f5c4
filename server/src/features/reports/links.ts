import { createHmac } from 'node:crypto'
import { apiBase } from '@isotherm/contract/call.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import { tokenHash } from '../../platform/auth/tokens.ts'
import type { PublicContext } from '../../platform/context.ts'
import { asPipeline, inTenant, type Tx } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { openFiles } from '../../platform/files/files.ts'
import type { Services } from '../../platform/services.ts'
import { contentTypes } from '../../reporting/content-types.ts'
import { companyOfLink, fileBehind, insertLinks } from './link-queries.ts'

export interface FileLink {
  url: string
  expiresAt: string
}

const hourMs = 3_600_000

/**
 * Links to files, good for `forMs`, by the id of the file: those of a mail only while it is for a recipient of the report, those of
 * a person only while they may have the file. A
 * link's token is derived from the installation's secret, so that whoever asks again within the hour gets the same, and the
 * database holds no more than its hash.
 */
export async function linksTo(
  { config, secret, clock }: Pick<Services, 'config' | 'secret' | 'clock'>,
  { tx, companyId }: { tx: Tx; companyId: number },
  fileIds: readonly string[],
  { forMs, ...whose }: { forMs: number } & ({ mailId: string } | { userId: string }),
): Promise<Map<string, FileLink>> {
  const [mailId, userId] = 'mailId' in whose ? [whose.mailId, null] : [null, whose.userId]
  const expires = Math.ceil((clock.now().getTime() + forMs) / hourMs) * hourMs
  const links = fileIds.map((id) => {
    const about = ['report-file', companyId, id, expires, ...(mailId ? [mailId] : ['of', userId])].join(':')
    const token = createHmac('sha256', secret).update(about).digest('base64url')
    return { id, token, hash: tokenHash(token) }
  })
  if (links.length > 0)
    await insertLinks(
      tx,
      links.map(({ id, hash }) => ({
        company_id: companyId,
        token_hash: hash,
        file_id: id,
        mail_id: mailId,
        user_id: userId,
        expires_at: new Date(expires),
      })),
    )
  const expiresAt = new Date(expires).toISOString()
  return new Map(
    links.map(({ id, token }) => [id, { url: `${config.publicUrl}${apiBase}/report-files/${token}`, expiresAt }]),
  )
}

/**
 * The file a link leads to; NOT_FOUND when the link is over or none, its report was deleted, its file is gone, or whom it was given
 * to is to have it no more.
 */
export async function fileOf({ services, clock, origin }: PublicContext, token: string) {
  const hash = tokenHash(token)
  const companyId = await asPipeline(services.pool, ({ tx }) => companyOfLink(tx, hash, clock.now()))
  const found =
    companyId === undefined
      ? undefined
      : await inTenant(services.pool, companyId, ({ tx }) => fileBehind(tx, companyId, hash))
  const body = found?.file_key ? await openFiles(services.config).read(found.file_key) : undefined
  if (companyId === undefined || !found || !body) throw new AppError('NOT_FOUND')
  await inTenant(services.pool, companyId, ({ tx }) =>
    writeAudit(tx, companyId, { actor: { kind: 'guest' }, origin, at: clock.now() }, [
      {
        action: 'reports.downloaded',
        target: { kind: 'report', id: found.report_id, name: found.name },
        after: { file: found.file_name, run: found.run_id },
      },
    ]),
  )
  return { body, filename: found.file_name, contentType: contentTypes[found.format] }
}
