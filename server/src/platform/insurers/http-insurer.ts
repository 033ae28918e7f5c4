import type { InsurerAccount } from '../config/insurers.ts'
import { boundedFetch } from '../net/bounded-fetch.ts'
import { readInsurerAnswer } from './answer.ts'
import type { Insurer } from './insurer.ts'

const maxBytes = 10_000_000

/** An insurer that is asked by HTTP: PUT and DELETE of requests by our reference. */
export function httpInsurer({ url, secret }: InsurerAccount, timeoutMs = 20_000): Insurer {
  async function call(method: 'PUT' | 'DELETE', reference: string, body?: object) {
    const headers = {
      accept: 'application/json',
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'user-agent': 'Isotherm',
    }
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    return boundedFetch(`${url}/requests/${reference}`, init, { timeoutMs, maxBytes })
  }
  return {
    async ask({ reference, ...request }) {
      const { status, text } = await call('PUT', reference, request)
      if (status < 200 || status >= 300) throw new Error(`the insurer answered ${status}`)
      return readInsurerAnswer(JSON.parse(text))
    },
    async cancel(reference) {
      const { status } = await call('DELETE', reference)
      if (status !== 404 && (status < 200 || status >= 300)) throw new Error(`the insurer answered ${status}`)
    },
  }
}
