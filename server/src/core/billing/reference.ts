import { createHmac, randomInt } from 'node:crypto'

const SIGNS = 'abcdefghijkmnpqrstuvwxyz23456789'
const randomText = (length: number) => Array.from({ length }, () => SIGNS.charAt(randomInt(SIGNS.length))).join('')

/** The name of this installation in references: two that share an account with a provider do not take each other's payments. */
const installation = (secret: Buffer): string => {
  const bytes = createHmac('sha256', secret).update('payments').digest().subarray(0, 8)
  return [...bytes].map((byte) => SIGNS.charAt(byte % SIGNS.length)).join('')
}

/**
 * The name of a new payment with its provider: of letters, digits and `-`, and never used again. `t` are units that buy themselves, `p` is what
 * a person pays.
 */
export const newReference = (secret: Buffer, companyId: number, kind: 'p' | 't' = 'p'): string =>
  `iso-${installation(secret)}-${companyId.toString(36)}-${kind}-${randomText(16)}`

/**
 * The name of one try to charge a period by itself, made of what it is for: in a database that was restored the same try has the same name,
 * and its provider knows whether it was paid.
 */
export const renewalReference = (
  secret: Buffer,
  companyId: number,
  { subscription, cycle, attempt }: { subscription: string; cycle: number; attempt: number },
): string => `iso-${installation(secret)}-${companyId.toString(36)}-s${subscription}-c${cycle}-a${attempt}`

/** The company whose payment a reference names; null: it is none of this installation's. */
export function companyIn(secret: Buffer, reference: string): number | null {
  const [, of, company = ''] = /^iso-([a-z2-9]{8})-([0-9a-z]{1,6})-/.exec(reference) ?? []
  const companyId = Number.parseInt(company, 36)
  return of === installation(secret) && companyId >= 1 && companyId <= 2_147_483_647 ? companyId : null
}

/** As a pattern of PostgreSQL, too. */
export const byItselfPattern = '^iso-[a-z2-9]{8}-[0-9a-z]{1,6}-(t-|s[0-9]+-c[0-9]+-a[0-9]+$)'
const byItself = new RegExp(byItselfPattern)

/** Whether a payment is one that nobody began: of a renewal, or of units that buy themselves. */
export const isByItself = (reference: string): boolean => byItself.test(reference)
