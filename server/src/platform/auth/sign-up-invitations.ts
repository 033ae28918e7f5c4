import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

const Claim = z.strictObject({ email: z.string(), until: z.number().int() })

const sign = (secret: Buffer, claim: string) => createHmac('sha256', secret).update(`sign-up:${claim}`).digest()

/**
 * The code that lets one mail address make a company until an instant. It is signed with the installation's secret and kept
 * nowhere: an address has one account at most, so the code is good once.
 */
export function signUpInvitation(secret: Buffer, email: string, until: Date): string {
  const claim = Buffer.from(JSON.stringify({ email, until: until.getTime() })).toString('base64url')
  return `${claim}.${sign(secret, claim).toString('base64url')}`
}

/** Whether a code is ours, for this mail address, and not over. */
export function isInvited(secret: Buffer, code: string, email: string, now: Date): boolean {
  const [claim = '', signature = ''] = code.split('.')
  const given = Buffer.from(signature, 'base64url')
  const expected = sign(secret, claim)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false
  const { email: invited, until } = Claim.parse(JSON.parse(Buffer.from(claim, 'base64url').toString()))
  return invited === email && until > now.getTime()
}
