import type { VerifiedReport } from '@isotherm/contract/device-reports.ts'
import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import { companyOfFile, fileByKey } from './run-queries.ts'

/** The key of a file is enough to read its facts without a login, also when the file itself is deleted. */
export async function verifiedRun({ pool }: Services, key: string): Promise<VerifiedReport | undefined> {
  const companyId = await asPipeline(pool, ({ tx }) => companyOfFile(tx, key))
  if (companyId === undefined) return undefined
  const row = await inTenant(pool, companyId, ({ tx }) => fileByKey(tx, companyId, key))
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
