import { ECDH } from 'node:crypto'
import { type NotificationKind, orderKinds } from '@isotherm/contract/notifications.ts'
import type { Context } from '../../platform/context.ts'
import { invalidField } from '../../platform/errors/app-error.ts'

/** Throws VALIDATION for a key that is no point of the curve P-256: nothing can be encrypted for it. */
export function mayEncryptFor(p256dh: string): void {
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url')
  } catch {
    throw invalidField('p256dh', 'invalid')
  }
}

/** The kinds of lines that are no more for a person to read: they had other rights when they got them. */
export function closedKinds({ can, person }: Pick<Context, 'can' | 'person'>): NotificationKind[] {
  return [
    ...(can('dispatch.view') ? [] : [...orderKinds, 'calibrationDue' as const, 'coldTreatment' as const]),
    ...(can('payments.view') ? [] : ['billing' as const]),
    ...(person.role === 'admin' ? [] : ['wallet' as const, 'deliveryFailed' as const, 'webhook' as const]),
  ]
}
