import type { GivenCertificate } from '@isotherm/contract/insurances.ts'
import type { OrderInsurance } from '@isotherm/contract/orders.ts'
import { actContext } from '../../core/orders/acts/act-context.ts'
import { takeCertificate } from '../../core/orders/certify.ts'
import { coverFault, startOf } from '../../core/orders/cover.ts'
import { premiumOf, requestInsurance, voidInsurance } from '../../core/orders/insurance.ts'
import { insuranceOf, lockInsurance, worthOf } from '../../core/orders/insurance-queries.ts'
import { lockOrder } from '../../core/orders/order-queries.ts'
import { presentInsurance } from '../../core/orders/present-order.ts'
import { type InsurancePlanRow, plansFor } from '../../core/provider/insurance-plans.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { judgeFile } from '../../platform/files/file-type.ts'
import { leaveUpload, type Uploads, useUpload } from '../../platform/files/uploads.ts'
import { refuseInfected } from '../../platform/files/virus-scan.ts'
import type { Services } from '../../platform/services.ts'

const shown = async (ctx: Context, orderId: string): Promise<OrderInsurance> =>
  presentInsurance(ctx, orNotFound(await insuranceOf(ctx, orderId)))

/** The plans for goods of a worth, the smallest premium first. */
export async function offeredPlans(
  { tx }: Context,
  { productWorth: worth, currency = null }: { productWorth: number; currency?: string | null | undefined },
): Promise<InsurancePlanRow[]> {
  const plans = await withLogin(tx, () => plansFor(tx, { worth, currency }))
  return plans.sort((a, b) => premiumOf(a, worth) - premiumOf(b, worth))
}

/** Insures the goods of a new order for what they are worth. Throws ALREADY_INSURED, INSURANCE_TOO_LATE or PLAN_NOT_FITTING. */
export async function buyInsurance(ctx: Context, orderId: string, planId: string): Promise<OrderInsurance> {
  const order = await lockOrder(ctx, orderId)
  return presentInsurance(ctx, await requestInsurance(actContext(ctx), order, planId, await worthOf(ctx, orderId)))
}

/** Cancels the insurance of an order that has not started. Throws INSURANCE_TOO_LATE or NOT_INSURED. */
export async function cancelInsurance(ctx: Context, orderId: string, reason: string): Promise<OrderInsurance> {
  const order = await lockOrder(ctx, orderId)
  if (order.state !== 'new') throw new AppError('INSURANCE_TOO_LATE')
  const row = await insuranceOf(ctx, orderId)
  if (!row || row.state === 'void') throw new AppError('NOT_INSURED')
  await voidInsurance(actContext(ctx), order, reason)
  return shown(ctx, orderId)
}

/** Takes a certificate that a person has, and that was stored. Throws NOT_INSURED, ALREADY_INSURED, or INSURANCE_MISMATCH where it does not cover the order. */
export async function certifyInsurance(
  ctx: Context,
  orderId: string,
  given: GivenCertificate,
): Promise<OrderInsurance> {
  const order = await lockOrder(ctx, orderId)
  const row = await lockInsurance(ctx, orderId)
  if (!row || row.state === 'void') throw new AppError('NOT_INSURED')
  const { policyNumber, worth, currency } = given
  const [validFrom, validTo] = [new Date(given.validFrom), new Date(given.validTo)]
  const cover = { certified_worth: String(worth), valid_from: validFrom, valid_to: validTo }
  const goods = { worth: await worthOf(ctx, orderId), from: startOf(ctx, order), until: order.deliver_by }
  const reason = coverFault(cover, goods)
  if (reason) throw new AppError('INSURANCE_MISMATCH', { reason })
  const pdf = useUpload(given.file)
  const certificate = { policyNumber, worth, currency, validFrom, validTo, pdf }
  if (!(await takeCertificate(actContext(ctx), order, row, certificate))) leaveUpload(pdf)
  return shown(ctx, orderId)
}

/** Before the call's transaction: stores a certificate. Throws FILE_REFUSED, FILE_MISNAMED, FILE_INFECTED or STORAGE_LOW. */
export async function storeCertificate(file: File, uploads: Uploads, { config, disk }: Services): Promise<void> {
  const bytes = Buffer.from(await file.arrayBuffer())
  const judged = judgeFile(file.name.trim(), bytes)
  if ('refused' in judged)
    throw new AppError(judged.refused === 'type' ? 'FILE_REFUSED' : 'FILE_MISNAMED', { found: judged.found })
  if (judged.type !== 'pdf') throw new AppError('FILE_REFUSED', { found: judged.type.toUpperCase() })
  if (config.clamd) await refuseInfected(config.clamd, bytes)
  await disk.refuseLow()
  await uploads.keep(file, 'insurance-certificates', 'pdf', bytes)
}
