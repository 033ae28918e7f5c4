import { localDayOf } from '@isotherm/contract/zone-times.ts'
import { findCompany } from '../../core/company/company.ts'
import { noteEvents } from '../../core/events/note-events.ts'
import { inTenant, withLogin } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import type { RunSettings } from './gather.ts'
import { mailRun } from './mail-run.ts'
import type { RunRow } from './run-job.ts'
import { changeRun, insertFiles, insertMails } from './run-queries.ts'
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
    const mine = await changeRun(tx, { companyId, runId: run.id }, run.attempts, {
      state: 'ready',
      progress: 100,
      finished_at: now,
      touched_at: now,
      data_as_of: new Date(order.issuedAt),
      devices: order.devices.length,
      readings: written.readings,
      device_ids: order.devices.map(({ id }) => Number(id)),
    })
    if (!mine) throw new Error('the run was taken by another builder')
    const company = await findCompany(tx, companyId)
    await insertFiles(
      tx,
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
    await noteEvents(tx, [
      {
        ...{ companyId, type: 'report.ready', key: `scheduled:${run.id}`, at: now },
        deviceIds: order.devices.map(({ id }) => Number(id)),
        data: { reportId: run.report_id, kind: 'scheduled', format: null },
      },
    ])
    const mails = await insertMails(tx, run, settings.locale)
    await withLogin(tx, async () => {
      for (const mailId of mails) await services.enqueue(client, mailRun, { companyId, mailId })
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
  const day = localDayOf(period.from, zone)
  const ending = format === 'pdf' || part === 'book' ? '' : `-${part}`
  return `${plain || 'report'}-${day}${ending}.${format}`
}
