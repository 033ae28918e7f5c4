import { z } from 'zod'
import { del, file, get, patch, post } from './call.ts'
import { Country, Done, Email, Id, Instant, paragraph, personalName, text, Version } from './common.ts'
import { CsvImport, CsvImportResult } from './csv-import.ts'
import { Paging, pageOf } from './paging.ts'
import { LatLon } from './places.ts'
import { Text40 } from './texts.ts'

const fields = {
  name: personalName(120),
  company: text(160).nullable(),
  email: Email.nullable(),
  /** As typed. */
  phone: Text40,
  address: text(300).nullable(),
  position: LatLon.nullable(),
  country: Country.nullable(),
  note: paragraph(2_000).nullable(),
}
export const NewContact = z.strictObject(fields).partial().required({ name: true })
export type NewContact = z.infer<typeof NewContact>
/** A field that is left out stays as it is. */
export const ContactChange = z.strictObject(fields).partial().extend({ version: Version })
export type ContactChange = z.infer<typeof ContactChange>

/** A person or firm to send from or to. */
export const Contact = z.object({
  id: Id,
  name: z.string(),
  company: z.string().nullable(),
  email: z.string().nullable(),
  /** E.164. */
  phone: z.string().nullable(),
  address: z.string().nullable(),
  position: LatLon.nullable(),
  country: z.string().nullable(),
  note: z.string().nullable(),
  createdAt: Instant,
  version: Version,
})
export type Contact = z.infer<typeof Contact>

/** The columns of a file of contacts, as its first line names them. */
export const contactColumns = ['name', 'company', 'email', 'phone', 'address', 'lat', 'lon', 'country', 'note'] as const

const ContactSort = z.enum(['name', '-name', 'company', '-company', 'createdAt', '-createdAt'])
export const ContactQuery = Paging.extend({ sort: ContactSort.default('name') })
export const ContactFilter = ContactQuery.omit({ page: true, perPage: true })

export const contacts = {
  list: get('/dispatch/contacts', {
    needs: 'dispatch.view',
    summary: 'The contacts, paged, with search by name, company, mail address, phone or address',
    query: ContactQuery,
    returns: pageOf(Contact),
  }),
  exportCsv: get('/dispatch/contacts/export', {
    needs: 'dispatch.export',
    summary: 'contacts.csv with what can be imported again',
    query: ContactFilter,
    returns: file('text/csv'),
  }),
  search: get('/dispatch/contacts/search', {
    needs: 'dispatch.view',
    summary: 'At most twenty contacts for what somebody is typing, the nearest first; a phone number finds who has it',
    query: z.strictObject({ q: text(100) }),
    returns: z.array(Contact),
  }),
  add: post('/dispatch/contacts', {
    needs: 'dispatch.addOrEdit',
    begins: 'other',
    summary: 'Adds a contact',
    body: NewContact,
    returns: Contact,
  }),
  importCsv: post('/dispatch/contacts/import', {
    needs: 'dispatch.addOrEdit',
    begins: 'other',
    auditOptional: true,
    maxBodyBytes: 3_000_000,
    summary: 'Adds the contacts of a CSV, all or none, with a dry run',
    body: CsvImport,
    returns: CsvImportResult,
  }),
  change: patch('/dispatch/contacts/:id', {
    needs: 'dispatch.addOrEdit',
    summary: 'Changes a contact; orders keep the copy that they have',
    body: ContactChange,
    returns: Contact,
  }),
  remove: del('/dispatch/contacts/:id', {
    needs: 'dispatch.addOrEdit',
    summary: 'Deletes a contact; orders keep the copy that they have',
    returns: Done,
  }),
}
