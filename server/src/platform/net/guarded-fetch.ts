import { requestGuarded } from './guarded-request.ts'

interface FetchOptions {
  method: string
  headers: Record<string, string>
  body?: unknown
}

/** `fetch` for addresses that somebody gave us, guarded as webhooks are, bounded in time and size. Throws where there is no answer. */
export const guardedFetch =
  (allowPrivate: boolean, timeoutMs = 8_000) =>
  async (url: string, { method, headers, body }: FetchOptions): Promise<Response> => {
    if (method !== 'GET' && method !== 'POST') throw new Error(`${method} is not asked for`)
    const text = body === undefined || body === null ? '' : String(body)
    const answer = await requestGuarded({ method, url, headers, body: text, allowPrivate, timeoutMs })
    if ('refused' in answer) throw new Error(answer.refused)
    const type = answer.headers['content-type']
    return new Response(hasNoBody(answer.status) ? null : answer.text, {
      status: answer.status,
      headers: type ? { 'content-type': type } : {},
    })
  }

const hasNoBody = (status: number) => status === 204 || status === 205 || status === 304
