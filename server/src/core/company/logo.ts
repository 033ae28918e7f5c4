import { buffer } from 'node:stream/consumers'
import type { TenantTx } from '../../platform/context.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { openFiles } from '../../platform/files/files.ts'
import { storedFile } from '../../platform/http/stored-file.ts'
import type { Services } from '../../platform/services.ts'
import { findCompany } from './company.ts'

/** A logo that was replaced while it was being read is read once more. */
const tries = 2

/** The picture of a company's logo, PNG; null where there is none. Outside of any transaction: a bucket may take its time. */
export async function readLogo({ pool, config }: Pick<Services, 'pool' | 'config'>, companyId: number) {
  for (let left = tries; left > 0; left--) {
    const { logo_key: key } = await inTenant(pool, companyId, ({ tx }) => findCompany(tx, companyId))
    if (key === null) return null
    const content = await openFiles(config).read(key)
    if (content) return buffer(content)
  }
  return null
}

/** The picture of the logo as the answer of a call. NOT_FOUND without one. */
export async function logoFile({ tx, companyId }: TenantTx, { config }: Pick<Services, 'config'>) {
  const { logo_key: key } = await findCompany(tx, companyId)
  return storedFile(config, key, { filename: 'logo.png', contentType: 'image/png' })
}
