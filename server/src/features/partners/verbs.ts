import type { NewPartner, PartnerChange } from '@isotherm/contract/partners.ts'
import { type PhoneReader, phoneReader } from '../../core/company/phones.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import type { Context } from '../../platform/context.ts'
import { refuseOutdated } from '../../platform/db/versions.ts'
import { auditSnapshot, target } from './present.ts'
import { insertPartner, lockPartner, type PartnerRow, type PartnerValues, updatePartner } from './queries.ts'

/** Adds a partner. Throws QUOTA_EXCEEDED, or VALIDATION where the phone number is none. */
export async function addPartner(ctx: Context, input: NewPartner): Promise<PartnerRow> {
  await refuseOverQuota(ctx, 'partners')
  const readPhone = await phoneReader(ctx)
  const row = await insertPartner(ctx, {
    company_name: input.companyName,
    company_address: input.companyAddress,
    full_name: input.fullName,
    email: input.email,
    ...phoneValues(input.phone, input.country, readPhone),
    state_province: input.stateProvince ?? null,
    lga: input.lga ?? null,
    country: input.country,
  })
  ctx.audit({ action: 'partners.added', target: target(row), after: auditSnapshot(row) })
  return row
}

/** Changes a partner. Throws NOT_FOUND, CHANGED_MEANWHILE or VALIDATION. */
export async function changePartner(
  ctx: Context,
  id: string,
  { version, ...input }: PartnerChange,
): Promise<PartnerRow> {
  const before = await lockPartner(ctx, id)
  refuseOutdated({ name: before.company_name, version: before.version }, version)
  const after = await updatePartner(ctx, id, changedValues(input, before, await phoneReader(ctx)))
  const changes = changesOf(auditSnapshot(before), auditSnapshot(after))
  ctx.audit({ action: 'partners.changed', target: target(after), ...changes })
  return after
}

/** Deletes a partner: archived, so that what names it finds it. Throws NOT_FOUND. */
export async function removePartner(ctx: Context, id: string): Promise<void> {
  const row = await lockPartner(ctx, id)
  await updatePartner(ctx, id, { archived_at: ctx.clock.now() })
  ctx.audit({ action: 'partners.removed', target: target(row), before: auditSnapshot(row) })
}

const phoneValues = (phone: string, country: string, readPhone: PhoneReader) => ({
  phone: readPhone(phone, 'phone', country),
  phone_typed: phone,
})

/** The columns of the fields that are given; kysely leaves out those that are not. */
const changedValues = (input: Partial<NewPartner>, before: PartnerRow, readPhone: PhoneReader): PartnerValues => ({
  company_name: input.companyName,
  company_address: input.companyAddress,
  full_name: input.fullName,
  email: input.email,
  ...(input.phone !== undefined && phoneValues(input.phone, input.country ?? before.country, readPhone)),
  state_province: input.stateProvince,
  lga: input.lga,
  country: input.country,
})
