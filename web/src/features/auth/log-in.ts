import { auth, type LoggedIn, Login } from '@isotherm/contract/auth.ts'
import { type SecondFactor, SecondFactor as SecondFactorSchema } from '@isotherm/contract/second-factor.ts'
import { call } from '../../lib/call.ts'
import { startSession } from '../../lib/profile.ts'

// Code that the login screen needs only once somebody types: loaded then (login-page.tsx).
export const LoginSchema = Login
export const SecondSchema = SecondFactorSchema

export const logIn = (body: { email: string; password: string }) => call(auth.login, { body })
export const finishLogIn = (body: SecondFactor) => call(auth.secondFactor, { body })

/** Begins the session; resolves to where it begins. */
export async function enter(answer: LoggedIn): Promise<'/companyprofile' | '/' | '/enrol'> {
  await startSession(answer)
  if (answer.mustEnrol) return '/enrol'
  return answer.user.role === 'admin' && !answer.company.profileCompleted ? '/companyprofile' : '/'
}
