import type { SessionScope } from '../../platform/auth/sessions.ts'
import type { CompanyRow } from './company.ts'

/** How a company wants a login of now to be kept. */
export interface SessionTerms {
  scope: SessionScope
  endsAt: Date | undefined
  idleS: number | undefined
}

type Policy = Pick<CompanyRow, 'second_factor_from' | 'session_idle_minutes' | 'session_hours'>

/** Whether a login without a second factor may set one up and nothing else by now. */
export const isFactorNeeded = ({ second_factor_from: from }: Policy, now: Date): boolean => from !== null && from <= now

/**
 * The terms of a session. `hasFactor`: the login was by two factors, or at an identity provider whose business they are. Without, the session ends when
 * the company begins to ask for one.
 */
export function sessionTerms(policy: Policy, { hasFactor, now }: { hasFactor: boolean; now: Date }): SessionTerms {
  const isEnrolling = !hasFactor && isFactorNeeded(policy, now)
  const { session_hours: hours, session_idle_minutes: minutes, second_factor_from: from } = policy
  const ends = [
    ...(hours === null ? [] : [now.getTime() + hours * 3_600_000]),
    ...(hasFactor || isEnrolling || from === null ? [] : [from.getTime()]),
  ]
  return {
    scope: isEnrolling ? 'enrol' : 'full',
    endsAt: ends.length > 0 ? new Date(Math.min(...ends)) : undefined,
    idleS: minutes === null ? undefined : minutes * 60,
  }
}
