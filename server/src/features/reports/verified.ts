import type { VerifiedReport } from '@isotherm/contract/device-reports.ts'
import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import { presentVerified } from '../../reporting/present.ts'
import { companyOfFile, fileByKey } from './run-queries.ts'

/** The key of a file is enough to read its facts without a login, also when the file itself is deleted. */
export async function verifiedRun({ pool }: Services, key: string): Promise<VerifiedReport | undefined> {
  const companyId = await asPipeline(pool, ({ tx }) => companyOfFile(tx, key))
  if (companyId === undefined) return undefined
  const row = await inTenant(pool, companyId, ({ tx }) => fileByKey(tx, companyId, key))
  return {
    ...presentVerified(row),
    deviceName: row.report_name,
    devices: row.devices,
    imeis: [],
    issuedAt: row.created_at.toISOString(),
    dataAsOf: (row.data_as_of ?? row.created_at).toISOString(),
  }
}
