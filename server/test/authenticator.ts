import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { NewPasskey, PasskeyAnswer } from '@isotherm/contract/passkeys.ts'

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** The head of a CBOR item: its major type and its number. */
function head(major: number, value: number): Buffer {
  const type = major << 5
  if (value < 24) return Buffer.from([type | value])
  return value < 256 ? Buffer.from([type | 24, value]) : Buffer.from([type | 25, value >> 8, value & 255])
}
const int = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value))
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value])
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)])
const map = (...entries: [Buffer, Buffer][]) => Buffer.concat([head(5, entries.length), ...entries.flat()])

interface How {
  /** The page that asks; default: the server's own. */
  origin?: string
  host?: string
  /** Whether finger, face or PIN were checked. */
  verifies?: boolean
  counter?: number
}

/** A security key in software: it makes one passkey and answers by it, also as no honest one would. */
export function anAuthenticator(usual: { origin: string; host: string }) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  const named = id.toString('base64url')
  const cose = map(
    [int(1), int(2)],
    [int(3), int(-7)],
    [int(-1), int(1)],
    [int(-2), bytes(Buffer.from(x, 'base64url'))],
    [int(-3), bytes(Buffer.from(y, 'base64url'))],
  )
  let counter = 0
  const dataOf = (how: How, isNew: boolean): Buffer => {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(how.counter ?? ++counter)
    const flags = 1 | (how.verifies === false ? 0 : 4) | (isNew ? 64 : 0)
    const length = Buffer.from([id.length >> 8, id.length & 255])
    const made = isNew ? [Buffer.alloc(16), length, id, cose] : []
    return Buffer.concat([sha256(how.host ?? usual.host), Buffer.from([flags]), number, ...made])
  }
  const clientData = (type: string, challenge: string, how: How) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: how.origin ?? usual.origin, crossOrigin: false }))
  const common = { id: named, rawId: named, type: 'public-key' as const }
  return {
    id: named,
    create(options: { challenge: string }, how: How = {}): NewPasskey {
      const attestation = map(
        [text('fmt'), text('none')],
        [text('attStmt'), map()],
        [text('authData'), bytes(dataOf(how, true))],
      )
      const clientDataJSON = clientData('webauthn.create', options.challenge, how).toString('base64url')
      const response = {
        clientDataJSON,
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      }
      return { ...common, response }
    },
    answer(options: { challenge: string }, userHandle: string, how: How = {}): PasskeyAnswer {
      const data = dataOf(how, false)
      const client = clientData('webauthn.get', options.challenge, how)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      const response = {
        ...{ clientDataJSON: client.toString('base64url'), authenticatorData: data.toString('base64url') },
        ...{ signature: signature.toString('base64url'), userHandle },
      }
      return { ...common, response }
    },
  }
}
