import { allAnswer, allSay, type Check, expectStatus, firstOf, withHeader, without } from '../check.ts'
import { fresh } from '../fresh.ts'
import { password } from '../people.ts'

const pages = ['//', '//login', '/auth/profile', '/openapi.json', '//nowhere.js']

/** A fault at the first of the pages whose header does not fit. */
const header =
  (name: string, fits: RegExp): Check['fault'] =>
  async ({ ask }) => {
    for (const path of pages) {
      const value = (await ask({ method: 'GET', path })).headers[name] ?? ''
      if (!fits.test(value)) return `${path}: ${name} is "${value}"`
    }
    return null
  }

const directive =
  (name: string, fits: RegExp): Check['fault'] =>
  async ({ ask }) => {
    const policy = (await ask({ method: 'GET', path: '//' })).headers['content-security-policy'] ?? ''
    const value = policy.split(';').find((part) => part.trim().startsWith(`${name} `)) ?? ''
    return fits.test(value.trim()) ? null : `${name} is "${value}"`
  }

const weakPolicy = withHeader('content-security-policy', "script-src * 'unsafe-inline'; object-src *; base-uri *")

/** V3: web frontend. */
export const browser: Check[] = [
  {
    id: '3.2.1',
    says: 'What the API answers is never rendered as a page',
    async fault({ ask }) {
      const { headers } = await ask({ method: 'GET', path: '/auth/profile' })
      if (headers['x-content-type-options'] !== 'nosniff') return 'no nosniff'
      return headers['content-type']?.startsWith('application/json') ? null : `type ${headers['content-type']}`
    },
    spoiled: withHeader('content-type', 'text/html'),
  },
  {
    id: '3.3.1',
    says: 'No cookie is set, so none can be stolen or sent along',
    async fault({ ask, admin }) {
      const body = { email: admin.email, password }
      for (const asked of [
        { method: 'GET', path: '//' },
        { method: 'POST', path: '/auth/login', body },
      ])
        if ((await ask(asked)).headers['set-cookie']) return `${asked.path} sets a cookie`
      return null
    },
    spoiled: withHeader('set-cookie', 'id=1'),
  },
  {
    id: '3.4.1',
    says: 'Strict-Transport-Security for a year where the public address is https',
    fault: header('strict-transport-security', /max-age=(3153[6-9]|315[4-9]|31[6-9]|3[2-9]|[4-9])\d*/),
    spoiled: without('strict-transport-security'),
  },
  {
    id: '3.4.2',
    says: 'No other origin may read an answer',
    async fault({ ask, admin }) {
      const headers = { origin: 'https://evil.example' }
      const answer = await ask({ method: 'GET', path: '/auth/profile', token: admin.token, headers })
      return answer.headers['access-control-allow-origin'] ? 'Access-Control-Allow-Origin is sent' : null
    },
    spoiled: withHeader('access-control-allow-origin', '*'),
  },
  {
    id: '3.4.3',
    says: 'The policy allows scripts of our own files, and of our own pages by their hash, only',
    fault: directive('script-src', /^script-src 'self'( 'sha256-[\w+/]{43}=')*$/),
    spoiled: weakPolicy,
  },
  {
    id: '3.4.3',
    says: 'The policy allows no plugins and no other base address',
    fault: (world) =>
      firstOf(
        () => directive('object-src', /^object-src 'none'$/)(world),
        () => directive('base-uri', /^base-uri 'none'$/)(world),
      ),
    spoiled: weakPolicy,
  },
  {
    id: '3.4.4',
    says: 'Nothing is sniffed for another type',
    fault: header('x-content-type-options', /^nosniff$/),
    spoiled: without('x-content-type-options'),
  },
  {
    id: '3.4.5',
    says: 'No address with a token in it is told to another site',
    fault: header('referrer-policy', /^no-referrer$/),
    spoiled: without('referrer-policy'),
  },
  {
    id: '3.4.6',
    says: 'No other page may frame ours',
    fault: directive('frame-ancestors', /^frame-ancestors 'none'$/),
    spoiled: weakPolicy,
  },
  {
    id: '3.5.1',
    says: 'A cookie is no login: only the Authorization header is',
    fault: async ({ ask, admin }) =>
      expectStatus(
        await ask({ method: 'GET', path: '/auth/profile', headers: { cookie: `token=${admin.token}` } }),
        401,
      ),
    spoiled: allAnswer(200),
  },
  {
    id: '3.5.2',
    says: 'A form of another page can send nothing that is taken',
    async fault({ ask, admin }) {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
        const fault = expectStatus(
          await ask({
            method: 'POST',
            path: '/auth/login',
            body: JSON.stringify({ email: admin.email, password }),
            headers: { 'content-type': type },
          }),
          415,
        )
        if (fault) return `${type}: ${fault}`
      }
      return null
    },
    spoiled: allAnswer(200),
  },
  {
    id: '3.5.3',
    says: 'A GET changes nothing: a mail scanner that opens the link verifies no address',
    async fault({ ask, need, instance }) {
      const email = fresh('scanner')
      const body = { companyName: 'Scanned', fullname: 'Ann', email, password }
      await need({ method: 'POST', path: '/auth/register', body })
      const token = await instance.mailedToken(email, 'verify')
      await need({ method: 'GET', path: `/auth/verify/${token}` })
      const answer = await ask({ method: 'POST', path: '/auth/login', body: { email, password } })
      return answer.text.includes('EMAIL_NOT_VERIFIED') ? null : `the login says ${answer.status}`
    },
    spoiled: allSay('{}', 200),
  },
  {
    id: '3.5.8',
    says: 'No other site may load our answers as its own resources',
    fault: header('cross-origin-resource-policy', /^same-origin$/),
    spoiled: without('cross-origin-resource-policy'),
  },
]
