import { auth, Login } from '@isotherm/contract/auth.ts'
import { call } from '../../lib/call.ts'
import { startSession } from '../../lib/profile.ts'

// Code that the login screen needs only once somebody logs in: loaded at the first keystroke (login-page.tsx).
export const LoginSchema = Login

export const logIn = (body: { email: string; password: string }) => call(auth.login, { body })

/** Begins the session; resolves to where it begins. */
export async function enter(answer: Awaited<ReturnType<typeof logIn>>): Promise<'/companyprofile' | '/'> {
  await startSession(answer)
  return answer.user.role === 'admin' && !answer.company.profileCompleted ? '/companyprofile' : '/'
}
