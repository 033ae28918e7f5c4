import { createHash, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The parts of an issuer that a test may bend; each is asked anew. */
export interface Bends {
  /** Changes the description. */
  description?(honest: Record<string, unknown>): Record<string, unknown>
  /** Changes the claims of the token. */
  claims?(honest: Record<string, unknown>): Record<string, unknown>
  header?(honest: Record<string, unknown>): Record<string, unknown>
  /** Signs in the place of the published key. */
  key?: KeyObject
  /** Leaves the signature out. */
  isUnsigned?: boolean
  /** Answers in the place of the issuer; true: it did. */
  answer?(path: string, response: ServerResponse): boolean
}

export interface HostileIssuer {
  issuer: string
  bends: Bends
  /** The addresses that were asked for. */
  asked: string[]
  /** The answer to a login that began at this address, as the browser brings it. */
  answerTo(url: string): { code: string; state: string; iss: string; companyId: string }
  close(): Promise<void>
}

/** The company whose address the browser comes back to. */
export const companyOf = (redirectUrl: string): string => new URL(redirectUrl).pathname.split('/').at(-1) ?? ''

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
export const newKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

/** An issuer of our own making, which does what it should until a test bends it. */
export async function startHostileIssuer(): Promise<HostileIssuer> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const nonces = new Map<string, { nonce: string; challenge: string }>()
  const it: HostileIssuer = {
    ...{ issuer, bends: {}, asked: [] },
    answerTo(url) {
      const sent = new URL(url).searchParams
      const code = `code-${nonces.size}`
      nonces.set(code, { nonce: sent.get('nonce') ?? '', challenge: sent.get('code_challenge') ?? '' })
      return { code, state: sent.get('state') ?? '', iss: issuer, companyId: companyOf(sent.get('redirect_uri') ?? '') }
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const description = () => ({
    ...{
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
    },
    ...{ response_types_supported: ['code'], id_token_signing_alg_values_supported: ['RS256'] },
    ...{ authorization_response_iss_parameter_supported: true },
  })
  const token = (nonce: string) => {
    const nowS = Math.floor(Date.now() / 1000)
    const honest = { iss: issuer, aud: 'client', sub: 'ada', nonce, iat: nowS, exp: nowS + 300 }
    const header = it.bends.header?.({ alg: 'RS256', kid: 'k' }) ?? { alg: 'RS256', kid: 'k' }
    const body = `${encoded(header)}.${encoded(it.bends.claims?.(honest) ?? honest)}`
    if (it.bends.isUnsigned) return `${body}.`
    return `${body}.${createSign('RSA-SHA256')
      .update(body)
      .sign(it.bends.key ?? privateKey)
      .toString('base64url')}`
  }
  server.on('request', async (request, response) => {
    const path = request.url ?? ''
    it.asked.push(path)
    if (it.bends.answer?.(path, response)) return
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (path.endsWith('/.well-known/openid-configuration'))
      return send(200, it.bends.description?.(description()) ?? description())
    if (path === '/jwks')
      return send(200, { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }] })
    const sent = new URLSearchParams(Buffer.concat(await request.toArray()).toString())
    const begun = nonces.get(sent.get('code') ?? '')
    const verifier = createHash('sha256')
      .update(sent.get('code_verifier') ?? '')
      .digest('base64url')
    if (!begun || begun.challenge !== verifier) return send(400, { error: 'invalid_grant' })
    return send(200, { access_token: 'a', token_type: 'bearer', expires_in: 60, id_token: token(begun.nonce) })
  })
  return it
}
