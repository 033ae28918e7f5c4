import { z } from 'zod'
import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { type StoredBytes, withBytes } from '../../platform/files/uploads.ts'
import type { InsuranceRequest, InsurerAnswer } from '../../platform/insurers/insurer.ts'
import type { Job, Services } from '../../platform/services.ts'
import { findCompany } from '../company/company.ts'
import { acting } from './acts/act-context.ts'
import { takeCertificate, takeRefusal } from './certify.ts'
import { insuranceByReference, lockByReference, unsettledInsurances } from './insurance-queries.ts'
import { findOrder, itemsOf, lockOrder, receiversOf } from './order-queries.ts'

const Named = z.strictObject({ companyId: z.number().int(), reference: z.uuid() })
type Named = z.infer<typeof Named>

/** Asks the insurer for what was bought, outside of every transaction. */
export const askInsurer: Job<Named> = {
  name: 'ask-insurer',
  payload: Named,
  retryLimit: 4,
  run: ask,
}

/** Tells the insurer that an insurance is not wanted any more. */
export const tellInsurerVoid: Job<Named> = {
  name: 'tell-insurer-void',
  payload: Named,
  retryLimit: 12,
  async run({ insurer }, { reference }) {
    await insurer?.cancel(reference)
  },
}

const maxPerRun = 200

/** Every minute: asks again for what is not settled; after an hour every ten minutes only. */
export const sweepInsurances: Job<Record<string, never>> = {
  name: 'sweep-insurances',
  payload: z.strictObject({}),
  retryLimit: 0,
  cron: '* * * * *',
  async run(services) {
    if (!services.insurer) return
    const due = await asPipeline(services.pool, ({ tx }) => unsettledInsurances(tx, services.clock.now(), maxPerRun))
    for (const { company_id: companyId, reference } of due)
      await ask(services, { companyId, reference }).catch((err: unknown) =>
        services.log.warn({ err, companyId, reference }, 'the insurer could not be asked'),
      )
  },
}

async function ask(services: Services, named: Named): Promise<void> {
  const { insurer } = services
  const request = insurer && (await requestOf(services, named))
  if (!request) return
  const answer = await insurer.ask(request)
  try {
    await settleInsurance(services, named, answer)
  } catch (err) {
    if (!(err instanceof AppError)) throw err
    services.log.warn({ err, ...named }, 'a certificate was not taken')
  }
}

/** The request to the insurer; null where it is settled. */
const requestOf = ({ pool }: Services, { companyId, reference }: Named): Promise<InsuranceRequest | null> =>
  inTenant(pool, companyId, async ({ tx }) => {
    const ctx = { tx, companyId }
    const row = await insuranceByReference(ctx, reference)
    if (row?.state !== 'requested') return null
    const order = await findOrder(ctx, row.order_id)
    const goods = await itemsOf(ctx, order.id)
    const receivers = await receiversOf(ctx, [order.id])
    return {
      ...{ reference, plan: row.plan.name, insurer: row.plan.insurer, currency: row.currency },
      ...{ worth: Number(row.worth), premium: Number(row.premium) },
      insured: (await findCompany(tx, companyId)).name,
      goods: goods.map(({ name, quantity }) => `${quantity} x ${name}`),
      from: order.pickup_address,
      to: receivers.map(({ address }) => address),
      ...{ requestedAt: row.requested_at, deliverBy: order.deliver_by },
    }
  })

/**
 * Writes down what the insurer says of an insurance. Told the same again it changes nothing. Throws NOT_FOUND, INSURANCE_MISMATCH or
 * ALREADY_INSURED.
 */
export async function settleInsurance(services: Services, named: Named, answer: InsurerAnswer): Promise<void> {
  if (answer.state === 'pending') return
  const { companyId, reference } = named
  const bought = await inTenant(services.pool, companyId, async ({ tx }) =>
    orNotFound(await insuranceByReference({ tx, companyId }, reference)),
  )
  const { insurer: name } = bought.plan
  const author = {
    by: { source: 'insurer' as const, name },
    actor: { kind: 'system' as const, name },
    seesPrivate: false,
  }
  const settle = (pdf: StoredBytes | null) =>
    acting(services, { companyId, agent: 'insurer', ...author }, async (ctx) => {
      const order = await lockOrder(ctx, bought.order_id)
      const row = orNotFound(await lockByReference(ctx, reference))
      if (answer.state === 'certified') return takeCertificate(ctx, order, row, { ...answer.certificate, pdf })
      await takeRefusal(ctx, order, row, answer.reason)
      return false
    })
  const bytes = answer.state === 'certified' ? answer.certificate.pdf : null
  await (bytes
    ? withBytes(services.config, { area: 'insurance-certificates', type: 'pdf', bytes }, settle)
    : settle(null))
}
