import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import { companyOfKey, findByKey } from './queries.ts'

/**
 * The report of a key, read in its own company's transaction: the key is enough to read its facts without a login. It does not name
 * the hardware while a device of it is private.
 */
export async function reportOfKey({ pool }: Services, key: string) {
  const companyId = await asPipeline(pool, ({ tx }) => companyOfKey(tx, key))
  return companyId ? inTenant(pool, companyId, ({ tx }) => findByKey(tx, companyId, key)) : undefined
}
