import { Email } from '@isotherm/contract/common.ts'
import { domainOf } from '../../core/sso/needs-sso.ts'
import { isEntra } from '../../platform/oidc/describe-issuer.ts'
import type { Claims } from '../../platform/oidc/exchange-code.ts'
import { SsoRefusal } from './refusal.ts'
import type { IssuerAnswer } from './take-answer.ts'

const google = 'https://accounts.google.com'

/** Google speaks for accounts of anybody; `hd` says which company an account is of. Throws SsoRefusal. */
export function refuseForeignAccount({ connection, claims, domains }: IssuerAnswer): void {
  if (connection.issuer === google && !domains.has(claims.hd ?? ''))
    throw new SsoRefusal('ssoForeignDomain', { email: claims.email ?? null })
}

/**
 * The mail address that an issuer vouches for: in a proved domain of the company, and not said to be unverified. One of which nothing is said is taken,
 * because issuer and domain are the company's own; not so at Microsoft Entra ID, where guests bring the address that an Admin of theirs has typed: there it
 * is to be the name that they log in with, or its domain's owner vouches for it. Throws SsoRefusal.
 */
export function vouchedMail({ connection, claims, domains }: IssuerAnswer): string {
  const email = Email.safeParse(claims.email)
  if (!email.success) throw new SsoRefusal('ssoMailMissing')
  const { email_verified: isVerified = !isEntra(connection.issuer) || isOwnAtEntra(claims, email.data) } = claims
  if (!isTrue(isVerified)) throw new SsoRefusal('ssoMailUnverified', { email: email.data })
  if (!domains.has(domainOf(email.data))) throw new SsoRefusal('ssoForeignDomain', { email: email.data })
  return email.data
}

const isTrue = (claim: unknown) => claim === true || claim === 'true'

const isOwnAtEntra = ({ preferred_username: name = '', xms_edov }: Claims, email: string): boolean =>
  isTrue(xms_edov) || xms_edov === 1 || xms_edov === '1' || name.trim().toLowerCase() === email
