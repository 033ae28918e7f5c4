import type { SecondStep } from '@isotherm/contract/second-factor.ts'
import { type SsoAnswer, type SsoTested, sso } from '@isotherm/contract/sso.ts'
import type { useRouter } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { refetchCalls } from '../../lib/query.ts'
import { getSession } from '../../lib/session.ts'
import { takeTrip } from '../../shared/sso/trip.ts'
import { enter } from './log-in.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** How a test of single sign-on went. */
    ssoTested?: SsoTested
  }
}

/** The parameters that an issuer sends a browser back with, and the company in the address that it sends it to. */
export interface IssuerAnswer {
  companyId?: string | undefined
  code?: string | undefined
  state?: string | undefined
  iss?: string | undefined
  error?: string | undefined
}

/** How a trip ended, where the page stays: a proof, or a login that goes on with a second factor and then leads to `to`. */
export type TripEnd = { isProved: boolean } | { step: SecondStep['secondFactor']; to: string }

/**
 * Ends the trip that an answer belongs to, and leads on. Resolves with how it ended; null: it has led on. Rejects where the issuer refused, the
 * answer belongs to no trip of this tab, or the server refuses it.
 */
export async function endTrip(
  { code, state = '', iss, companyId = '' }: IssuerAnswer,
  router: ReturnType<typeof useRouter>,
): Promise<TripEnd | null> {
  const trip = takeTrip(state)
  // Out of the address and the history.
  await router.navigate({ to: '/login/sso/$companyId', params: { companyId }, search: {}, replace: true })
  if (!trip) throw new Error('the answer belongs to no login of this tab')
  const body = { code: code ?? '', state, companyId, browserSecret: trip.browserSecret, ...(iss ? { iss } : {}) }
  if (trip.use === 'proof') return { isProved: code ? await prove(body) : false }
  if (trip.use === 'test' && getSession().token) {
    const ssoTested = code ? await call(sso.finishTest, { body }, { isQuiet: true }) : notLetIn
    await refetchCalls(sso.read)
    await router.navigate({ to: '/settings/security/sso', state: { ssoTested }, replace: true })
    return null
  }
  if (!code) throw new Error('the issuer let nobody in')
  const answer = await call(sso.finish, { body }, { isQuiet: true })
  if ('secondFactor' in answer) return { step: answer.secondFactor, to: trip.to }
  const to = await enter(answer)
  await router.navigate({ href: to === '/' ? trip.to : to, replace: true })
  return null
}

const notLetIn: SsoTested = { reason: 'ssoIssuer', email: null, name: null }

const prove = (body: SsoAnswer): Promise<boolean> =>
  call(sso.finishProof, { body }, { isQuiet: true }).then(
    ({ isProved }) => isProved,
    () => false,
  )
