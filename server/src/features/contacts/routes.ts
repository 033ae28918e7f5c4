import type { contacts } from '@isotherm/contract/contacts.ts'
import { findCompany } from '../../core/company/company.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { readPhone } from '../../platform/phones.ts'
import { contactsCsv, importContacts } from './csv.ts'
import { presentContact } from './present.ts'
import { pageOfContacts, searchContacts } from './queries.ts'
import { addContact, changeContact, removeContact } from './verbs.ts'

/** So many contacts are shown while somebody types. */
const searched = 20

export const contactHandlers: Handlers<typeof contacts> = {
  list: async (ctx, { query }) => presentPage(query, await pageOfContacts(ctx, query), presentContact),
  exportCsv: (ctx, { query }) => contactsCsv(ctx, query),
  async search(ctx, { query }) {
    const { country } = await findCompany(ctx.tx, ctx.companyId)
    const phone = readPhone(query.q, country, false)
    return (await searchContacts(ctx, query.q, phone, searched)).map(presentContact)
  },
  add: async (ctx, { body }) => presentContact(await addContact(ctx, body)),
  importCsv: (ctx, { body }) => importContacts(ctx, body),
  change: async (ctx, { params, body }) => presentContact(await changeContact(ctx, params.id, body)),
  remove: (ctx, { params }) => removeContact(ctx, params.id),
}
