/// <reference path="./oidc-provider.d.ts" />
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** The claims of somebody at the peer. */
interface PeerPerson {
  email?: string
  email_verified?: boolean
  name?: string
}

export interface OidcPeer {
  issuer: string
  clientId: string
  clientSecret: string
  /** By their login; whoever is missing has no mail address. */
  people: Map<string, PeerPerson>
  close(): Promise<void>
}

/** A real OpenID provider on loopback, with one client; `redirectUrl`: the beginning of the addresses that it sends browsers back to. */
export async function startOidcPeer(redirectUrl: string, port = 0): Promise<OidcPeer> {
  const server = createServer()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [clientId, clientSecret] = ['isotherm', 'client-secret-of-the-peer-0123456789']
  const people = new Map<string, PeerPerson>()
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUrl],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    findAccount: async (_, id) => ({ accountId: id, claims: async () => ({ sub: id, ...people.get(id) }) }),
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['k'] },
    features: { devInteractions: { enabled: true } },
  })
  // Each company has a page of its own below it.
  provider.Client.prototype.redirectUriAllowed = (uri) => uri.startsWith(redirectUrl)
  server.on('request', provider.callback())
  return {
    ...{ issuer, clientId, clientSecret, people },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Logs in at the peer as a browser would, and answers what it sends back with. */
export async function logInAtPeer(url: string, login: string, redirectUrl: string) {
  const jar = new Map<string, string>()
  const go = async (to: string, init: RequestInit = {}) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(to, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value) jar.set(name, value)
      else jar.delete(name)
    }
    return answer
  }
  let at = url
  for (let hops = 0; hops < 20; hops++) {
    if (at.startsWith(redirectUrl)) return Object.fromEntries(new URL(at).searchParams)
    let answer = await go(at)
    if (!answer.headers.get('location')) {
      const isLogin = (await answer.text()).includes('name="login"')
      const body = isLogin ? `prompt=login&login=${login}&password=x` : 'prompt=consent'
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      answer = await go(at, { method: 'POST', headers, body })
    }
    at = new URL(answer.headers.get('location') ?? '', at).href
  }
  throw new Error('the peer goes round in circles')
}
