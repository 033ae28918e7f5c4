import type { NewPasskey, PasskeyAnswer } from '@isotherm/contract/passkeys.ts'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Passkey } from './passkeys.ts'

// 26 MB and a fifth of a second: for those who use passkeys.
const library = () => import('@simplewebauthn/server')

/** How long somebody may take to answer. */
export const passkeyLastsMs = 5 * 60_000

/** Why the browsers of an installation take no passkeys. */
export type NoPasskeys = 'https' | 'domain'

/** The host and origin that passkeys are made for, or what is missing: browsers want https and a domain name, or the host `localhost`. */
export function passkeySite(publicUrl: string): { host: string; origin: string } | { missing: NoPasskeys } {
  const { hostname, origin, protocol } = new URL(publicUrl)
  if (hostname === 'localhost') return { host: hostname, origin }
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
  if (isAddress || !hostname.includes('.')) return { missing: 'domain' }
  return protocol === 'https:' ? { host: hostname, origin } : { missing: 'https' }
}

type Site = { host: string; origin: string }

/** Asks a browser for a new passkey: one that finds its person by itself, and checks them by PIN, finger or face. */
export async function creationOptions(
  { host }: Site,
  person: { handle: Buffer; email: string; fullname: string },
  known: readonly Passkey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: 'Isotherm',
    rpID: host,
    userName: person.email,
    userDisplayName: person.fullname,
    userID: new Uint8Array(person.handle),
    timeout: passkeyLastsMs,
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** Asks a browser for a passkey: one of these, or whichever its person chooses. */
export async function requestOptions(
  { host }: Site,
  known?: readonly Passkey[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: host,
    timeout: passkeyLastsMs,
    userVerification: 'required',
    ...(known && { allowCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })) }),
  })
}

const createdAsJson = ({ response, ...rest }: NewPasskey): RegistrationResponseJSON => ({
  ...rest,
  clientExtensionResults: {},
  response: { clientDataJSON: response.clientDataJSON, attestationObject: response.attestationObject },
})

const answerAsJson = ({
  response: { userHandle, ...response },
  ...rest
}: PasskeyAnswer): AuthenticationResponseJSON => ({
  ...rest,
  clientExtensionResults: {},
  response: { ...response, ...(userHandle ? { userHandle } : {}) },
})

/** A new passkey out of a browser's answer; undefined where the answer is not one to this challenge, of this site, with its person checked. */
export async function readCreation({ host, origin }: Site, challenge: string, answer: NewPasskey) {
  const { verifyRegistrationResponse } = await library()
  const result = await verifyRegistrationResponse({
    response: createdAsJson(answer),
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: host,
    requireUserVerification: true,
  }).catch(() => undefined)
  if (!result?.verified) return undefined
  const { credential, credentialBackedUp } = result.registrationInfo
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    isSynced: credentialBackedUp,
  }
}

/** The new counter of a passkey that answered; undefined where the answer is not its own to this challenge, of this site, or its counter went back. */
export async function readAnswer(
  { host, origin }: Site,
  challenge: string,
  answer: PasskeyAnswer,
  passkey: Passkey,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await library()
  const { credentialId: id, publicKey, counter } = passkey
  const result = await verifyAuthenticationResponse({
    response: answerAsJson(answer),
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: host,
    requireUserVerification: true,
    credential: { id, publicKey: new Uint8Array(publicKey), counter },
  }).catch(() => undefined)
  return result?.verified ? result.authenticationInfo.newCounter : undefined
}
