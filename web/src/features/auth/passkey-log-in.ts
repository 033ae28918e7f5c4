import { auth } from '@isotherm/contract/auth.ts'
import { call } from '../../lib/call.ts'
import { answerPasskey } from '../../shared/passkeys.ts'
import { enter } from './log-in.ts'

/** Ends a login that waits for its second step by a passkey; resolves to where the person begins. */
export async function finishByPasskey(token: string) {
  const question = await call(auth.startPasskey)
  return enter(await call(auth.secondFactor, { body: { token, passkey: await answerPasskey(question) } }))
}

/** Logs in by whichever passkey the person chooses; resolves to where they begin. */
export async function enterByPasskey() {
  const question = await call(auth.startPasskey)
  return enter(await call(auth.loginByPasskey, { body: await answerPasskey(question) }))
}
