import { z } from 'zod'
import { Price } from './billing.ts'
import { get, post } from './call.ts'
import { countWords, Id, Instant, paragraph, text } from './common.ts'
import { limits } from './limits.ts'
import { Paging, pageOf } from './paging.ts'
import { modules } from './permissions.ts'
import { planMeasures } from './subscription.ts'

export const ModuleName = z.enum(modules)
/** The part of the product that a request is about. */
export const productCategories = [...modules, 'other'] as const
export const ProductCategory = z.enum(productCategories)
export const urgencies = ['low', 'normal', 'high'] as const
export const Urgency = z.enum(urgencies)

const maxWords = limits.descriptionWords
const Description = paragraph(3_000).refine((written) => countWords(written) <= maxWords, {
  message: 'tooManyWords',
  params: { limit: maxWords },
})

/** A request to the provider for help, or a suggestion. */
export const NewSupportRequest = z.strictObject({
  title: text(120),
  description: Description.min(1),
  category: ProductCategory,
  urgency: Urgency.default('normal'),
})
export type NewSupportRequest = z.infer<typeof NewSupportRequest>

/** `feature` asks for more of a module, `purchase` for something of the store. */
export const SupportKind = z.enum(['support', 'suggestion', 'feature', 'purchase'])
export type SupportKind = z.infer<typeof SupportKind>

export const SupportRequest = z.object({
  id: Id,
  kind: SupportKind,
  /** A purchase has the name of the thing here; a feature nothing. */
  title: z.string(),
  description: z.string(),
  category: ProductCategory.nullable(),
  urgency: Urgency.nullable(),
  quantity: z.number().int().nullable(),
  state: z.enum(['open', 'answered', 'closed']),
  at: Instant,
  /** The person who asked: Admins see the requests of their whole team, others their own. */
  by: z.string(),
  isOwn: z.boolean(),
  answers: z.array(z.object({ text: z.string(), at: Instant })),
})
export type SupportRequest = z.infer<typeof SupportRequest>

export const featureMeasures = [...planMeasures, 'retentionMonths'] as const

/** A module of the product: what the company's licences allow of it, and what it has. */
export const Feature = z.object({
  module: ModuleName,
  /** False where no licence has it. */
  isIncluded: z.boolean(),
  measures: z.array(
    z.object({
      name: z.enum(featureMeasures),
      /** Null where nothing is counted, or not for who asks. */
      used: z.number().int().nullable(),
      /** Null: no limit. */
      limit: z.number().int().nullable(),
    }),
  ),
  /** Since when somebody of the company waits for an answer to a request for more. */
  askedAt: Instant.nullable(),
})
export type Feature = z.infer<typeof Feature>

export const StoreItem = z.object({
  code: z.string(),
  name: z.string(),
  text: z.string(),
  /** A `data:` address of at most 90 KB; null: it has none. */
  picture: z.string().nullable(),
  /** Null where it has no price in the company's currency: the provider tells it. */
  price: Price.nullable(),
})
export type StoreItem = z.infer<typeof StoreItem>

/** The most of one thing that is asked for at once. */
export const maxQuantity = 1_000

const Code = z.string().regex(/^[a-z0-9-]{1,40}$/)

export const support = {
  ask: post('/enterprise/support', {
    needs: 'session',
    limit: 'support',
    summary: 'Asks the provider for help; the answer comes as a notification and by mail',
    body: NewSupportRequest,
    returns: SupportRequest,
  }),
  suggest: post('/enterprise/suggestion', {
    needs: 'session',
    limit: 'support',
    summary: 'Suggests something to the provider',
    body: NewSupportRequest,
    returns: SupportRequest,
  }),
  requests: get('/enterprise/support', {
    needs: 'session',
    summary: "One's own requests with their answers, an Admin's of the whole team, newest first, paged",
    query: Paging.omit({ search: true }),
    returns: pageOf(SupportRequest),
  }),
  features: get('/enterprise/features', {
    needs: 'session',
    takesApiKey: true,
    summary: 'The modules, what the licences allow of each and what the company has of it',
    returns: z.array(Feature),
  }),
  askFeature: post('/enterprise/features', {
    needs: 'session',
    summary: 'Asks the provider for more of a module; the same again, until it is answered, changes nothing',
    body: z.strictObject({ module: ModuleName, description: Description.default('') }),
    returns: Feature,
    auditOptional: true,
  }),
  store: post('/enterprise/gricd', {
    needs: 'session',
    summary: 'Devices and accessories that the provider sells, with prices in the currency of the company',
    returns: z.object({ items: z.array(StoreItem) }),
    readOnly: true,
  }),
  askToBuy: post('/enterprise/gricd/requests', {
    needs: 'payments.addOrEdit',
    needsPerson: true,
    limit: 'support',
    summary: 'Asks the provider for something of the store; nothing is charged',
    body: z.strictObject({
      code: Code,
      quantity: z.number().int().min(1).max(maxQuantity),
      description: Description.default(''),
    }),
    returns: SupportRequest,
  }),
}
