import { createHmac } from 'node:crypto'
import { apiBase } from '@isotherm/contract/call.ts'
import { sql } from 'kysely'
import { writeAudit } from '../../platform/audit/audit.ts'
import { tokenHash } from '../../platform/auth/tokens.ts'
import { asPipeline, inTenant, type Tx } from '../../platform/db/transaction.ts'
import { tellsOfPrivateSql } from '../../platform/devices/visible-devices.ts'
import { openFiles } from '../../platform/files/files.ts'
import { AppError } from '../../platform/http/app-error.ts'
import type { PublicContext } from '../../platform/http/context.ts'
import type { Services } from '../../platform/services.ts'
import { contentTypes } from '../../reporting/content-types.ts'
import { type MailedTo, mailedToSql, mayHaveFiles } from './mailed-to-sql.ts'

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
    await tx
      .insertInto('report_links')
      .values(
        links.map(({ id, hash }) => ({
          company_id: companyId,
          token_hash: hash,
          file_id: id,
          mail_id: mailId,
          user_id: userId,
          expires_at: new Date(expires),
        })),
      )
      .onConflict((conflict) => conflict.columns(['company_id', 'token_hash']).doNothing())
      .execute()
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
  const link = await asPipeline(services.pool, ({ tx }) =>
    tx
      .selectFrom('report_links')
      .select('company_id')
      .where('token_hash', '=', hash)
      .where('expires_at', '>', clock.now())
      .executeTakeFirst(),
  )
  const found =
    link && (await inTenant(services.pool, link.company_id, ({ tx }) => fileBehind(tx, link.company_id, hash)))
  const body = found?.file_key ? await openFiles(services.config.dataDir).read(found.file_key) : undefined
  if (!link || !found || !body) throw new AppError('NOT_FOUND')
  await inTenant(services.pool, link.company_id, ({ tx }) =>
    writeAudit(tx, link.company_id, { actor: { kind: 'guest' }, origin, at: clock.now() }, [
      {
        action: 'reports.downloaded',
        target: { kind: 'report', id: found.report_id, name: found.name },
        after: { file: found.file_name, run: found.run_id },
      },
    ]),
  )
  return { body, filename: found.file_name, contentType: contentTypes[found.format] }
}

interface Behind {
  file_key: string | null
  file_name: string
  format: string
  run_id: string
  report_id: string
  name: string
}

async function fileBehind(tx: Tx, companyId: number, hash: Buffer): Promise<Behind | undefined> {
  const { rows } = await sql<Behind & MailedTo & { mailId: string | null; isTheirs: boolean }>`
    select f.file_key, f.file_name, f.format, n.id as run_id, r.id as report_id, r.name, l.mail_id as "mailId",
      exists (select from users u where u.company_id = l.company_id and u.id = l.user_id and u.archived_at is null
        and (u.role = 'admin' or not coalesce(${tellsOfPrivateSql('n')}, true))) as "isTheirs", ${mailedToSql}
    from report_links l join report_files f on f.company_id = l.company_id and f.id = l.file_id
      join report_runs n on n.company_id = f.company_id and n.id = f.run_id
      join reports r on r.company_id = n.company_id and r.id = n.report_id
      left join report_mails m on m.company_id = l.company_id and m.id = l.mail_id
    where l.company_id = ${companyId} and l.token_hash = ${hash} and r.archived_at is null`.execute(tx)
  const found = rows[0]
  if (!found) return undefined
  return (found.mailId ? mayHaveFiles(found) : found.isTheirs) ? found : undefined
}
