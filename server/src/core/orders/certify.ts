import { majorText } from '../../domain/money.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { StoredBytes } from '../../platform/files/uploads.ts'
import type { Certificate } from '../../platform/insurers/insurer.ts'
import { announceOrder } from './announce-order.ts'
import { standingFault, startOf } from './cover.ts'
import { type EventAuthor, noteEvent } from './events.ts'
import { insuranceMail } from './insurance-mail.ts'
import { changeInsurance, type InsuranceRow } from './insurance-queries.ts'
import type { OrderRow } from './order-queries.ts'

/** A certificate whose PDF is in the store already. */
export type StoredCertificate = Omit<Certificate, 'pdf'> & { pdf: StoredBytes | null }

export type Certifying = Pick<
  Context,
  'tx' | 'companyId' | 'clock' | 'audit' | 'enqueue' | 'services' | 'afterCommit'
> & {
  by: EventAuthor
}

/**
 * Writes the certificate of an insurance down; order and insurance are locked. Resolves to whether it did: the same policy again changes nothing. One that comes after
 * the insurance was cancelled is kept, and insures nothing: people are told. Throws INSURANCE_MISMATCH where its currency is
 * another one, and ALREADY_INSURED where a certificate that covers the order is there.
 */
export async function takeCertificate(
  ctx: Certifying,
  order: OrderRow,
  row: InsuranceRow,
  certificate: StoredCertificate,
): Promise<boolean> {
  if (row.policy_number === certificate.policyNumber && row.state !== 'requested') return false
  if (certificate.currency !== row.currency) throw new AppError('INSURANCE_MISMATCH', { reason: 'currency' })
  const at = ctx.clock.now()
  const isVoid = row.state === 'void'
  if (row.state === 'certified' && !(await standingFault(ctx, order, row, startOf(ctx, order))))
    throw new AppError('ALREADY_INSURED')
  const columns = {
    policy_number: certificate.policyNumber,
    certified_worth: String(certificate.worth),
    valid_from: certificate.validFrom,
    valid_to: certificate.validTo,
    certified_by: ctx.by.name,
  }
  const file = certificate.pdf
  await changeInsurance(ctx, row.id, {
    ...columns,
    ...(file && { certificate_key: file.key, certificate_sha256: file.sha256 }),
    ...(!isVoid && { state: 'certified', settled_at: at }),
  })
  const facts = {
    policyNumber: certificate.policyNumber,
    worth: `${majorText(certificate.worth, certificate.currency)} ${certificate.currency}`,
    validFrom: certificate.validFrom.toISOString(),
    validTo: certificate.validTo.toISOString(),
    isVoid,
  }
  await noteEvent(ctx, order.id, {
    ...{ kind: 'insuranceCertified', at, zone: order.pickup_zone, by: ctx.by, detail: facts },
  })
  announceOrder(ctx, order.id)
  ctx.audit({
    action: 'insurances.certified',
    target: { kind: 'order', id: order.id, name: order.tracking_code },
    after: { ...facts, sha256: file?.sha256.toString('hex') ?? null },
  })
  if (ctx.by.source !== 'person') await tell(ctx, order, isVoid ? 'void' : 'certified')
  return true
}

/** Notes that the insurer declines; order and insurance are locked. Where it is settled already, nothing changes. */
export async function takeRefusal(ctx: Certifying, order: OrderRow, row: InsuranceRow, reason: string): Promise<void> {
  if (row.state !== 'requested') return
  const at = ctx.clock.now()
  await changeInsurance(ctx, row.id, { state: 'declined', settled_at: at, void_reason: reason })
  await noteEvent(ctx, order.id, {
    ...{ kind: 'insuranceDeclined', at, zone: order.pickup_zone, by: ctx.by, detail: { reason } },
  })
  announceOrder(ctx, order.id)
  ctx.audit({
    action: 'insurances.declined',
    target: { kind: 'order', id: order.id, name: order.tracking_code },
    after: { plan: row.plan.name, insurer: row.plan.insurer },
    reason,
  })
  await tell(ctx, order, 'declined')
}

const tell = (ctx: Certifying, order: OrderRow, what: 'certified' | 'declined' | 'void') =>
  ctx.enqueue(insuranceMail, { companyId: ctx.companyId, userId: order.created_by, orderId: order.id, what })
