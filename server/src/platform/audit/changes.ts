import { canonical } from './audit.ts'

/** The fields that a change altered, as the audit trail keeps them. Give it what `present` makes, not rows. */
export function changesOf(before: object, after: object) {
  const old = before as Record<string, unknown>
  const altered = Object.entries(after).filter(([key, value]) => plain(old[key]) !== plain(value))
  return {
    before: Object.fromEntries(altered.map(([key]) => [key, stored(old[key])])),
    after: Object.fromEntries(altered.map(([key, value]) => [key, stored(value)])),
  }
}

const plain = (value: unknown) => canonical(stored(value))
const stored = (value: unknown) => (value instanceof Date ? value.toISOString() : (value ?? null))
