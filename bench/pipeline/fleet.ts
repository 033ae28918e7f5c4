import { createHash } from 'node:crypto'
import type pg from 'pg'
import { asCompany, makeCompanies } from './companies.ts'

/** A tracker with its device; the secret is derived, so that generator processes need not be told. */
export interface BenchDevice {
  imei: string
  secret: string
  companyId: number
  id: number
}

export const secretOf = (imei: string): string => createHash('sha256').update(`bench ${imei}`).digest('base64url')
export const imeiOf = (index: number): string => String(860_000_000_000_000 + index)

/** Companies with devices: limits 2 to 8 degrees and at most 90 % from 2020 on, an interval of 3 minutes. */
export async function makeFleet(
  client: pg.Client,
  companies: number,
  devices: number,
  firstImei = 0,
): Promise<BenchDevice[]> {
  const ids = await makeCompanies(client, companies)
  const fleet: BenchDevice[] = []
  for (const [index, companyId] of ids.entries()) {
    const imeis: string[] = []
    for (let n = index; n < devices; n += companies) imeis.push(imeiOf(firstImei + n))
    await client.query(
      'insert into hardware (imei, type, secret_hash) select i, $3, h from unnest($1::text[], $2::bytea[]) as t (i, h)',
      [imeis, imeis.map((imei) => createHash('sha256').update(secretOf(imei)).digest()), 'bench'],
    )
    await asCompany(client, companyId, async () => {
      const made = await client.query<{ id: number; name: string }>(
        `insert into devices (company_id, name, type, interval_s)
         select $1, i, 'bench', 180 from unnest($2::text[]) i returning id, name`,
        [companyId, imeis],
      )
      await client.query(
        `insert into assignments (company_id, device_id, imei, valid_from)
         select company_id, id, name, '2020-01-01' from devices where company_id = $1`,
        [companyId],
      )
      await client.query(
        `insert into device_limits (company_id, device_id, valid_from, temperature_min_centi, temperature_max_centi, humidity_max_centi)
         select company_id, id, '2020-01-01', 200, 800, 9000 from devices where company_id = $1`,
        [companyId],
      )
      for (const { id, name } of made.rows) fleet.push({ imei: name, secret: secretOf(name), companyId, id })
    })
  }
  return fleet.sort((a, b) => a.imei.localeCompare(b.imei))
}
