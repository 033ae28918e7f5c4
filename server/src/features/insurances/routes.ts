import type { InsurancePlan, insurances } from '@isotherm/contract/insurances.ts'
import { premiumOf } from '../../core/orders/insurance.ts'
import { insuranceById } from '../../core/orders/insurance-queries.ts'
import type { InsurancePlanRow } from '../../core/provider/insurance-plans.ts'
import type { Context } from '../../platform/context.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import type { Before, Handlers } from '../../platform/http/serve.ts'
import { storedFile } from '../../platform/http/stored-file.ts'
import { buyInsurance, cancelInsurance, certifyInsurance, offeredPlans, storeCertificate } from './verbs.ts'

const presentPlan = (row: InsurancePlanRow, worth: number): InsurancePlan => ({
  ...{ id: String(row.id), name: row.name, insurer: row.insurer, currency: row.currency },
  ...{ premium: premiumOf(row, worth), rate: row.rate_bp, minWorth: Number(row.min_worth) },
  ...{ maxWorth: Number(row.max_worth), deductible: Number(row.deductible), products: row.products },
  ...{ temperatureClause: row.temperature_clause, leadHours: row.lead_hours, countries: row.countries },
})

async function certificateFile(ctx: Context, id: string) {
  const { certificate_key, order_id } = orNotFound(await insuranceById(ctx, id))
  const filename = `order-${order_id}-insurance.pdf`
  return storedFile(ctx.services.config, certificate_key, { filename, contentType: 'application/pdf' })
}

export const insuranceHandlers: Handlers<typeof insurances> = {
  plans: async (ctx, { query }) => (await offeredPlans(ctx, query)).map((row) => presentPlan(row, query.productWorth)),
  buy: (ctx, { params, body }) => buyInsurance(ctx, params.id, body.planId),
  cancel: (ctx, { params, body }) => cancelInsurance(ctx, params.id, body.reason),
  certify: (ctx, { params, body }) => certifyInsurance(ctx, params.id, body),
  certificate: (ctx, { params }) => certificateFile(ctx, params.id),
}

/** Certificates are scanned and stored before the call's transaction: scanner and bucket may take their time. */
export const beforeInsurances: Before<typeof insurances> = {
  certify: ({ body }, uploads, services) => uploads.store(() => storeCertificate(body.file, uploads, services)),
}
