import type { PartnerFilter } from '@isotherm/contract/partners.ts'
import type { z } from 'zod'
import type { Context } from '../../platform/context.ts'
import { listCsv } from '../../platform/http/list-csv.ts'
import { allPartners } from './queries.ts'

const columns = ['company', 'address', 'name', 'email', 'phone', 'state_province', 'lga', 'country']

/** partners.csv: a line per partner that the search finds. */
export async function partnersCsv(ctx: Context, query: z.output<typeof PartnerFilter>) {
  const rows = await allPartners(ctx, query)
  ctx.audit({ action: 'partners.exported', after: { count: rows.length } })
  const lines = rows.map((row) => [
    ...[row.company_name, row.company_address, row.full_name, row.email],
    ...[row.phone, row.state_province, row.lga, row.country],
  ])
  return listCsv('partners.csv', columns, lines)
}
