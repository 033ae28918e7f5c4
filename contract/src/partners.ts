import { z } from 'zod'
import { del, file, get, patch, post } from './call.ts'
import { Country, Done, Email, Id, Instant, personalName, text, Version } from './common.ts'
import { Paging, pageOf } from './paging.ts'
import { Text80 } from './texts.ts'

const fields = {
  companyName: personalName(160),
  companyAddress: text(300),
  fullName: personalName(120),
  email: Email,
  /** As typed. */
  phone: text(40),
  stateProvince: Text80,
  /** Local government area. */
  lga: Text80,
  country: Country,
}
export const NewPartner = z.strictObject(fields).partial({ stateProvince: true, lga: true })
export type NewPartner = z.infer<typeof NewPartner>
/** A field that is left out stays as it is. */
export const PartnerChange = z.strictObject(fields).partial().extend({ version: Version })
export type PartnerChange = z.infer<typeof PartnerChange>

/** A firm that takes part in deliveries and shipments. */
export const Partner = z.object({
  id: Id,
  companyName: z.string(),
  companyAddress: z.string(),
  fullName: z.string(),
  email: z.string(),
  /** E.164. */
  phone: z.string(),
  stateProvince: z.string().nullable(),
  lga: z.string().nullable(),
  country: z.string(),
  createdAt: Instant,
  version: Version,
})
export type Partner = z.infer<typeof Partner>

const PartnerSort = z.enum([
  ...(['companyName', '-companyName', 'fullName', '-fullName'] as const),
  ...(['country', '-country', 'createdAt', '-createdAt'] as const),
])
export const PartnerQuery = Paging.extend({ sort: PartnerSort.default('companyName') })
export const PartnerFilter = PartnerQuery.omit({ page: true, perPage: true })

export const partners = {
  list: get('/dispatch/partners', {
    needs: 'dispatch.view',
    summary: 'The partners, paged, with search by company, person, mail address or phone',
    query: PartnerQuery,
    returns: pageOf(Partner),
  }),
  exportCsv: get('/dispatch/partners/export', {
    needs: 'dispatch.export',
    summary: 'partners.csv with what search leaves',
    query: PartnerFilter,
    returns: file('text/csv'),
  }),
  add: post('/dispatch/partners', {
    needs: 'dispatch.addOrEdit',
    begins: 'other',
    summary: 'Adds a partner',
    body: NewPartner,
    returns: Partner,
  }),
  change: patch('/dispatch/partners/:id', {
    needs: 'dispatch.addOrEdit',
    summary: 'Changes a partner',
    body: PartnerChange,
    returns: Partner,
  }),
  remove: del('/dispatch/partners/:id', {
    needs: 'dispatch.addOrEdit',
    summary: 'Deletes a partner; what names it keeps its name',
    returns: Done,
  }),
}
