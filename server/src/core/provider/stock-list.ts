import { isSampleImei } from '../../domain/identifiers.ts'
import type { Pool } from '../../platform/db/pool.ts'
import { asLogin, asPipeline } from '../../platform/db/transaction.ts'

export interface StockItem {
  imei: string
  type: string
  probes: number
  /** Whether a label was printed; without one nobody can claim it while codes are asked for. */
  hasCode: boolean
  /** The companies that use it now, a name per probe in use. */
  usedBy: string[]
}

/** All hardware with the companies and devices it serves; sample devices have none that anybody could hold. */
export async function listStock(pool: Pool): Promise<StockItem[]> {
  const hardware = await asLogin(pool, ({ tx }) =>
    tx.selectFrom('hardware').select(['imei', 'type', 'probes', 'claim_hash as claimHash']).orderBy('imei').execute(),
  )
  const users = await asPipeline(pool, ({ tx }) =>
    tx
      .selectFrom('assignments as a')
      .innerJoin('companies as c', 'c.company_id', 'a.company_id')
      .innerJoin('devices as d', (join) =>
        join.onRef('d.company_id', '=', 'a.company_id').onRef('d.id', '=', 'a.device_id'),
      )
      .select(['a.imei', 'c.name as company', 'd.name as device'])
      .where('a.valid_to', 'is', null)
      .orderBy('a.probe')
      .execute(),
  )
  const byImei = Map.groupBy(users, (row) => row.imei)
  const real = hardware.filter(({ imei }) => !isSampleImei(imei))
  return real.map(({ claimHash, ...item }) => ({
    ...item,
    hasCode: claimHash !== null,
    usedBy: (byImei.get(item.imei) ?? []).map(({ company, device }) => `${company}: ${device}`),
  }))
}

export interface CompanyItem {
  id: number
  name: string
  country: string | null
  people: number
  devices: number
  createdAt: Date
}

/** All companies with how many people and devices they have. */
export async function listCompanies(pool: Pool): Promise<CompanyItem[]> {
  const rows = await asPipeline(pool, ({ tx }) =>
    tx
      .selectFrom('companies as c')
      .select((eb) => [
        'c.company_id as id',
        'c.name',
        'c.country',
        'c.created_at as createdAt',
        eb
          .selectFrom('users as u')
          .select((inner) => inner.fn.countAll<string>().as('n'))
          .whereRef('u.company_id', '=', 'c.company_id')
          .where('u.archived_at', 'is', null)
          .as('people'),
        eb
          .selectFrom('devices as d')
          .select((inner) => inner.fn.countAll<string>().as('n'))
          .whereRef('d.company_id', '=', 'c.company_id')
          .where('d.decommissioned_at', 'is', null)
          .where('d.sample_until', 'is', null)
          .as('devices'),
      ])
      .orderBy('c.company_id')
      .execute(),
  )
  return rows.map((row) => ({ ...row, people: Number(row.people), devices: Number(row.devices) }))
}
