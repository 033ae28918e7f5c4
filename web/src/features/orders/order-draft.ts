import { companyStorage } from '../../lib/tab-storage.ts'
import type { OrderValues } from './order-values.ts'

// Logging out clears it with everything else.
const key = 'isotherm.orderDraft'

/** The entries of a form that was left without sending it; null where there are none. */
export function readDraft(): OrderValues | null {
  try {
    return JSON.parse(companyStorage().getItem(key) ?? 'null') as OrderValues | null
  } catch {
    return null
  }
}

export function keepDraft(values: OrderValues): void {
  try {
    companyStorage().setItem(key, JSON.stringify(values))
  } catch {
    // A full or forbidden store: the form goes on without.
  }
}

export function forgetDraft(): void {
  try {
    companyStorage().removeItem(key)
  } catch {
    // There was nothing to forget.
  }
}
