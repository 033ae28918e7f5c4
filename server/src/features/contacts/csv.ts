import {
  type ContactFilter,
  contactColumns,
  NewContact,
  type NewContact as NewContactInput,
} from '@isotherm/contract/contacts.ts'
import type { CsvImport } from '@isotherm/contract/csv-import.ts'
import type { z } from 'zod'
import { phoneReader } from '../../core/company/phones.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import type { Context } from '../../platform/context.ts'
import { importCsv } from '../../platform/csv/import-csv.ts'
import { numberOf } from '../../platform/csv/read-csv.ts'
import { listCsv } from '../../platform/http/list-csv.ts'
import { allContacts, insertContact } from './queries.ts'
import { valuesOf } from './verbs.ts'

/** contacts.csv: a line per contact that the search finds. */
export async function contactsCsv(ctx: Context, query: z.output<typeof ContactFilter>) {
  const rows = await allContacts(ctx, query)
  ctx.audit({ action: 'contacts.exported', after: { count: rows.length } })
  const lines = rows.map((row) => [
    ...[row.name, row.company_name, row.email, row.phone, row.address, row.lat, row.lon, row.country, row.note],
  ])
  return listCsv('contacts.csv', contactColumns, lines)
}

/** Adds the contacts of a CSV: all or none. Throws QUOTA_EXCEEDED, or VALIDATION about the file as a whole. */
export async function importContacts(ctx: Context, input: CsvImport) {
  const readPhone = await phoneReader(ctx)
  const result = await importCsv<(typeof contactColumns)[number], NewContactInput>(ctx, input, {
    columns: contactColumns,
    needed: 'name',
    schema: NewContact,
    inputOf: ({ lat, lon, country, ...cells }) => ({
      ...cells,
      ...(country !== undefined && { country: country.toUpperCase() }),
      ...((lat ?? lon) !== undefined && { position: { lat: numberOf(lat), lon: numberOf(lon) } }),
    }),
    refuse: (rows) => refuseOverQuota(ctx, 'contacts', rows),
    add: (contact) => insertContact(ctx, { ...valuesOf(contact, readPhone), name: contact.name }),
  })
  if (result.applied) ctx.audit({ action: 'contacts.imported', after: { count: result.rows } })
  return result
}
