import { apiBase } from '@isotherm/contract/call.ts'
import { allAnswer, allSay, type Check, expectStatus, withHeader } from '../check.ts'

const host = 'Host: cold.example'

/** V4: API and web service. */
export const api: Check[] = [
  {
    id: '4.1.1',
    says: 'Every text says its charset',
    async fault({ ask }) {
      const page = await ask({ method: 'GET', path: '//' })
      const script = /src="(\/assets\/[^"]+\.js)"/.exec(page.text)?.[1]
      const paths = ['//', '//devices/list', '/docs', '/openapi.json', ...(script ? [`/${script}`] : [])]
      for (const path of paths) {
        const type = (await ask({ method: 'GET', path })).headers['content-type'] ?? ''
        if (/^text\/|javascript|json/.test(type) && !/charset=utf-8/i.test(type)) return `${path}: ${type}`
      }
      return null
    },
    spoiled: withHeader('content-type', 'text/html'),
  },
  {
    id: '4.1.3',
    says: 'A client cannot choose the address that is written down',
    async fault({ need, ask, admin, address }) {
      const headers = { 'x-forwarded-for': `8.8.8.8, ${address}` }
      await need({
        method: 'PATCH',
        path: '/auth/user/profile',
        token: admin.token,
        body: { timezone: 'Africa/Lagos' },
        headers,
      })
      const { text } = await ask({ method: 'GET', path: '/audit-log?perPage=5', token: admin.token })
      if (!text.includes(address)) return 'the true address is not in the trail'
      return text.includes('8.8.8.8') ? 'the trail shows the address that the client made up' : null
    },
    spoiled: allSay('{"address":"8.8.8.8"}'),
  },
  {
    id: '4.1.4',
    says: 'A method that no call has is refused',
    async fault({ ask }) {
      for (const method of ['PUT', 'DELETE', 'PATCH']) {
        const fault = expectStatus(await ask({ method, path: '/auth/login' }), 404, 405)
        if (fault) return `${method}: ${fault}`
      }
      return null
    },
    spoiled: allAnswer(200),
  },
  {
    id: '4.2.1',
    says: 'A request with two lengths is refused, so that none can be smuggled',
    async fault({ raw }) {
      const lines = [`POST ${apiBase}/auth/login HTTP/1.1`, host, 'Content-Length: 4', 'Transfer-Encoding: chunked']
      return expectStatus(await raw(`${lines.join('\r\n')}\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n`), 400)
    },
    spoiled: allAnswer(200),
  },
  {
    id: '4.2.1',
    says: 'Content-Length twice is refused',
    async fault({ raw }) {
      const lines = [`POST ${apiBase}/auth/login HTTP/1.1`, host, 'Content-Length: 4', 'Content-Length: 5']
      return expectStatus(await raw(`${lines.join('\r\n')}\r\n\r\nabcde`), 400)
    },
    spoiled: allAnswer(200),
  },
  {
    id: '4.2.5',
    says: 'An address or a header that is far too long is refused, not an error of the server',
    async fault({ raw }) {
      const long = await raw(`GET /${'a'.repeat(40_000)} HTTP/1.1\r\n${host}\r\n\r\n`)
      return expectStatus(long, 400, 404, 413, 414, 431)
    },
    spoiled: allAnswer(500),
  },
  {
    id: '4.4.3',
    says: 'The live stream opens for who is logged in only',
    fault: async ({ ask }) => expectStatus(await ask({ method: 'GET', path: '/live' }), 401),
    spoiled: allAnswer(200),
  },
]
