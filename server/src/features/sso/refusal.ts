import type { SsoReason } from '@isotherm/contract/sso.ts'

/** A single sign-on that is refused: the reason is for the trail and the log, the person hears SSO_REFUSED. */
export class SsoRefusal extends Error {
  readonly reason: SsoReason
  /** The mail address that the issuer named. */
  readonly email: string | null
  constructor(reason: SsoReason, { email = null, cause }: { email?: string | null; cause?: unknown } = {}) {
    super(reason, { cause })
    this.reason = reason
    this.email = email
  }
}
