import { z } from 'zod'
import { file, get, patch, post, put } from './call.ts'
import { GivenInstant, Id, namedFile, startBeforeEnd, text } from './common.ts'
import { OrderInsurance } from './orders.ts'

/** The largest certificate, bytes. */
export const certificateBytes = 5 * 1024 * 1024

const Currency = z.string().regex(/^[A-Z]{3}$/)

/** A plan of an insurer for goods of a worth. Amounts are minor units of `currency`. */
export const InsurancePlan = z.object({
  id: Id,
  name: z.string(),
  insurer: z.string(),
  currency: z.string(),
  premium: z.number().int(),
  /** In parts of ten thousand of the worth. */
  rate: z.number().int(),
  minWorth: z.number().int(),
  maxWorth: z.number().int(),
  /** The first part of a damage, which is not paid. */
  deductible: z.number().int(),
  products: z.string().nullable(),
  /** The words of the policy on temperature. */
  temperatureClause: z.string().nullable(),
  /** The insurer wants to know of an order so many hours ahead. */
  leadHours: z.number().int(),
  /** Empty: everywhere. */
  countries: z.array(z.string()),
})
export type InsurancePlan = z.infer<typeof InsurancePlan>

export const PlanQuery = z.strictObject({
  /** Minor units. */
  productWorth: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
  /** Left out: of any currency. */
  currency: Currency.optional(),
})

/** A certificate on paper, with what it says. */
export const GivenCertificate = z
  .strictObject({
    file: namedFile(certificateBytes),
    policyNumber: text(80),
    /** Minor units. */
    worth: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
    currency: Currency,
    validFrom: GivenInstant,
    validTo: GivenInstant,
  })
  .superRefine(startBeforeEnd('validFrom', 'validTo'))
export type GivenCertificate = z.infer<typeof GivenCertificate>

const view = { needs: 'dispatch.view' } as const
const edit = { needs: 'dispatch.addOrEdit' } as const

export const insurances = {
  plans: get('/enterprise/insurances', {
    ...view,
    summary: 'The insurance plans for goods of a worth, with their premiums',
    query: PlanQuery,
    returns: z.array(InsurancePlan),
  }),
  buy: post('/dispatch/orders/:id/insurance', {
    ...edit,
    begins: 'other',
    summary: 'Insures the goods of a new order by a plan; the order starts only once the certificate is there',
    body: z.strictObject({ planId: Id }),
    returns: OrderInsurance,
  }),
  cancel: patch('/dispatch/orders/:id/insurance/cancel', {
    ...edit,
    summary: 'Cancels the insurance of an order that has not started: the only way to start without a certificate',
    body: z.strictObject({ reason: text(300) }),
    returns: OrderInsurance,
  }),
  certify: put('/dispatch/orders/:id/insurance/certificate', {
    ...edit,
    // The same certificate again changes nothing.
    auditOptional: true,
    summary: 'Keeps the certificate of an order’s insurance, a PDF, with what it says',
    body: GivenCertificate,
    bodyKind: 'form',
    // The file, and what stands around it.
    maxBodyBytes: certificateBytes + 65_536,
    returns: OrderInsurance,
  }),
  certificate: get('/dispatch/insurances/:id/certificate', {
    ...view,
    summary: 'The certificate of an insurance, as it came',
    returns: file('application/pdf'),
  }),
}
