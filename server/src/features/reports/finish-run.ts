import { sql } from 'kysely'
import { findCompany } from '../../platform/auth/company.ts'
import { inTenant, withLogin } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import type { RunSettings } from './gather.ts'
import { mailRun } from './mail-run.ts'
import type { RunRow } from './run-job.ts'
import type { RunOrder, Written } from './writer/order.ts'

interface StoredFile {
  place: number
  fileKey: string
  sizeBytes: number
}

/** Files, whom they are mailed to, and that it is ready: all at once, or not at all. */
export async function finishRun(
  services: Services,
  run: RunRow,
  settings: RunSettings,
  order: RunOrder,
  written: Written,
  kept: StoredFile[],
): Promise<void> {
  const now = services.clock.now()
  const companyId = run.company_id
  await inTenant(services.pool, companyId, async ({ tx, client }) => {
    const mine = await tx
      .updateTable('report_runs')
      .set({
        state: 'ready',
        progress: 100,
        finished_at: now,
        touched_at: now,
        data_as_of: new Date(order.issuedAt),
        devices: order.devices.length,
        readings: written.readings,
        device_ids: order.devices.map(({ id }) => Number(id)),
      })
      .where('company_id', '=', companyId)
      .where('id', '=', run.id)
      .where('state', '=', 'building')
      .where('attempts', '=', run.attempts)
      .returning('id')
      .executeTakeFirst()
    if (!mine) throw new Error('the run was taken by another builder')
    const company = await findCompany(tx, companyId)
    await tx
      .insertInto('report_files')
      .values(
        kept.flatMap(({ place, fileKey, sizeBytes }) => {
          const output = order.outputs[place]
          const made = written.files[place]
          if (!output || !made) return []
          return {
            company_id: companyId,
            run_id: run.id,
            report_key: output.key,
            report_name: settings.name,
            company_name: company.name,
            file_name: fileNameOf(order, output),
            format: output.format,
            size_bytes: String(sizeBytes),
            pages: made.pages,
            data_sha256: Buffer.from(written.dataSha256, 'hex'),
            file_sha256: Buffer.from(made.sha256, 'hex'),
            file_key: fileKey,
            created_at: now,
          }
        }),
      )
      .execute()
    const { rows: mails } = await sql<{ id: string }>`
      insert into report_mails (company_id, run_id, address, name, locale)
      select distinct on (coalesce(u.email, x.address)) x.company_id, ${run.id}::int8, coalesce(u.email, x.address), u.fullname,
        coalesce(u.locale, ${settings.locale})
      from report_recipients x left join users u on u.company_id = x.company_id and u.id = x.user_id
      where x.company_id = ${companyId} and x.report_id = ${run.report_id}::int8 and (x.user_id is null or u.archived_at is null)
      order by coalesce(u.email, x.address), u.id nulls last
      returning id`.execute(tx)
    await withLogin(tx, async () => {
      for (const { id } of mails) await services.enqueue(client, mailRun, { companyId, mailId: id })
    })
  })
}

/** Plain letters only, whatever the report is called. */
function fileNameOf({ name, period, zone }: RunOrder, { format, part }: RunOrder['outputs'][number]): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .toLowerCase()
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(Date.parse(period.from))
  const ending = format === 'pdf' || part === 'book' ? '' : `-${part}`
  return `${plain || 'report'}-${day}${ending}.${format}`
}
