import type { SsoAnswer, SsoTested } from '@isotherm/contract/sso.ts'
import { lockConnection, updateConnection } from '../../core/sso/connection-queries.ts'
import { subjectOf } from '../../core/sso/link-queries.ts'
import { markProved } from '../../platform/auth/sessions.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { AfterCommit } from '../../platform/http/after-commit.ts'
import type { Claims } from '../../platform/oidc/exchange-code.ts'
import type { Pending } from './begin.ts'
import { goOn } from './go-on.ts'
import { refuseForeignAccount, vouchedMail } from './judge-claims.ts'
import { noteRefusal } from './log-in.ts'
import { targetOf } from './present.ts'
import { SsoRefusal } from './refusal.ts'
import { askIssuer, type IssuerAnswer, takePending } from './take-answer.ts'

// The ends of what people begin who are logged in: a fresh proof, and an Admin's test.

const sessionOf = (ctx: Context) => ctx.sessionHash.toString('hex')

/** Clocks of an issuer and ours may differ by so much. */
const skewMs = 60_000

/** Has the session count as proved now: by the account that its person comes in by, and a proof given since it was asked for. */
export const finishProof = async (ctx: Context, answer: SsoAnswer): Promise<AfterCommit<{ isProved: boolean }>> =>
  new AfterCommit(async (keep) => {
    const pending = await takePending(ctx, answer, { use: 'proof', session: sessionOf(ctx) }).catch(nothingPending)
    if (!pending) return { isProved: false }
    try {
      const { connection, claims } = await askIssuer(ctx, pending, answer)
      await goOn(ctx, async (later) => {
        if ((await subjectOf(later, connection.issuer, later.person.id)) !== claims.sub)
          throw new SsoRefusal('ssoOtherAccount', { email: claims.email ?? null })
        refuseStale(pending, claims)
        await withLogin(later.tx, () => markProved(later.tx, later.sessionHash, later.clock.now(), 'sso'))
        later.audit({ action: 'auth.provedBySso' })
        await keep(later.tx, { isProved: true })
      })
    } catch (error) {
      if (!(error instanceof SsoRefusal)) throw error
      await noteRefusal(ctx, pending, error)
      return { isProved: false }
    }
    return { isProved: true }
  })

const nothingPending = (error: unknown) => {
  if (error instanceof AppError && error.code === 'SSO_REFUSED') return null
  throw error
}

/** Throws SsoRefusal where the issuer did not ask again. */
function refuseStale({ begunAt }: Pending, { auth_time: provedAtS = 0 }: Claims): void {
  if (provedAtS * 1000 < Date.parse(begunAt) - skewMs) throw new SsoRefusal('ssoNotFresh')
}

/** Ends a test: it opens nothing, and says what is wrong, if anything is. Throws SSO_REFUSED for an answer that belongs to no test of this session. */
export const finishTest = async (ctx: Context, answer: SsoAnswer): Promise<AfterCommit<SsoTested>> =>
  new AfterCommit(async (keep) => {
    const pending = await takePending(ctx, answer, { use: 'test', session: sessionOf(ctx) })
    try {
      const told = await askIssuer(ctx, pending, answer)
      refuseForeignAccount(told)
      const email = vouchedMail(told)
      const tested: SsoTested = { reason: null, email, name: told.claims.name ?? null }
      await goOn(ctx, async (later) => {
        await noteTest(later, told)
        await keep(later.tx, tested)
      })
      return tested
    } catch (error) {
      if (!(error instanceof SsoRefusal)) throw error
      await noteRefusal(ctx, pending, error)
      return { reason: error.reason, email: error.email, name: null }
    }
  })

async function noteTest(ctx: Context, { connection }: IssuerAnswer): Promise<void> {
  const now = await lockConnection(ctx)
  // Somebody may have set another client, or another secret, meanwhile.
  if (!now || now.issuer !== connection.issuer || !now.client_secret.equals(connection.client_secret)) return
  await updateConnection(ctx, { tested_at: ctx.clock.now(), version: now.version + 1 })
  ctx.audit({ action: 'sso.tested', target: targetOf(now) })
}
