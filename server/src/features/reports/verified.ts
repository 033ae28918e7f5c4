import type { VerifiedReport } from '@isotherm/contract/device-reports.ts'
import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'

/** The key of a file is enough to read its facts without a login, also when the file itself is deleted. */
export async function verifiedRun({ pool }: Services, key: string): Promise<VerifiedReport | undefined> {
  const owner = await asPipeline(pool, ({ tx }) =>
    tx.selectFrom('report_files').select('company_id').where('report_key', '=', key).executeTakeFirst(),
  )
  if (!owner) return undefined
  const row = await inTenant(pool, owner.company_id, ({ tx }) =>
    tx
      .selectFrom('report_files as f')
      .innerJoin('report_runs as n', (on) =>
        on.onRef('n.company_id', '=', 'f.company_id').onRef('n.id', '=', 'f.run_id'),
      )
      .selectAll('f')
      .select(['n.period_from', 'n.period_to', 'n.timezone', 'n.data_as_of', 'n.devices', 'n.readings'])
      .where('f.company_id', '=', owner.company_id)
      .where('f.report_key', '=', key)
      .executeTakeFirstOrThrow(),
  )
  return {
    company: row.company_name,
    deviceName: row.report_name,
    devices: row.devices,
    imeis: [],
    period: { from: row.period_from.toISOString(), to: row.period_to.toISOString() },
    timezone: row.timezone,
    format: row.format as VerifiedReport['format'],
    issuedAt: row.created_at.toISOString(),
    dataAsOf: (row.data_as_of ?? row.created_at).toISOString(),
    readings: row.readings ?? 0,
    pages: row.pages,
    sizeBytes: Number(row.size_bytes),
    dataSha256: row.data_sha256.toString('hex'),
    fileSha256: row.file_sha256.toString('hex'),
  }
}
