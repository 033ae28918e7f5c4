import type { ContactChange, NewContact } from '@isotherm/contract/contacts.ts'
import { type PhoneReader, phoneReader } from '../../core/company/phones.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import type { Context } from '../../platform/context.ts'
import { refuseOutdated } from '../../platform/db/versions.ts'
import { auditSnapshot, target } from './present.ts'
import { type ContactRow, type ContactValues, insertContact, lockContact, updateContact } from './queries.ts'

/** Adds a contact. Throws QUOTA_EXCEEDED, or VALIDATION where the phone number is none. */
export async function addContact(ctx: Context, input: NewContact): Promise<ContactRow> {
  await refuseOverQuota(ctx, 'contacts')
  const row = await insertContact(ctx, { ...valuesOf(input, await phoneReader(ctx)), name: input.name })
  ctx.audit({ action: 'contacts.added', target: target(row), after: auditSnapshot(row) })
  return row
}

/** Changes a contact; orders keep the copy that they have. Throws NOT_FOUND, CHANGED_MEANWHILE or VALIDATION. */
export async function changeContact(
  ctx: Context,
  id: string,
  { version, ...input }: ContactChange,
): Promise<ContactRow> {
  const before = await lockContact(ctx, id)
  refuseOutdated(before, version)
  const after = await updateContact(ctx, id, valuesOf(input, await phoneReader(ctx)))
  const changes = changesOf(auditSnapshot(before), auditSnapshot(after))
  ctx.audit({ action: 'contacts.changed', target: target(after), ...changes })
  return after
}

/** Deletes a contact: archived, so that what names it finds it. Throws NOT_FOUND. */
export async function removeContact(ctx: Context, id: string): Promise<void> {
  const row = await lockContact(ctx, id)
  await updateContact(ctx, id, { archived_at: ctx.clock.now() })
  ctx.audit({ action: 'contacts.removed', target: target(row), before: auditSnapshot(row) })
}

/** The columns of the fields that are given. */
export const valuesOf = (
  { company, phone, position, ...same }: Partial<NewContact>,
  readPhone: PhoneReader,
): ContactValues => ({
  ...same,
  ...(company !== undefined && { company_name: company }),
  ...(phone !== undefined && { phone: phone && readPhone(phone, 'phone', same.country), phone_typed: phone }),
  ...(position !== undefined && { lat: position?.lat ?? null, lon: position?.lon ?? null }),
})
