import type { AnsweredByPasskey, NewPasskey, PasskeyQuestion } from '@isotherm/contract/passkeys.ts'
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'

// Loaded when somebody uses a passkey.

/** Has the browser answer by a passkey. Rejects where the person closes its dialog. */
export async function answerPasskey({ token, options }: PasskeyQuestion): Promise<AnsweredByPasskey> {
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  const { id, rawId, type, response } = await startAuthentication({ optionsJSON })
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return { token, answer: { id, rawId, type, response: { clientDataJSON, authenticatorData, signature, userHandle } } }
}

/** Has the browser make a passkey. Rejects where the person closes its dialog, or has one there already. */
export async function createPasskey({ options }: PasskeyQuestion): Promise<NewPasskey> {
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  const { id, rawId, type, response } = await startRegistration({ optionsJSON })
  const { clientDataJSON, attestationObject, transports = [] } = response
  return { id, rawId, type, response: { clientDataJSON, attestationObject, transports } }
}
