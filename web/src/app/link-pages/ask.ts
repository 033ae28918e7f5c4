import { currentLocale } from './words.ts'

// Not from the contract: its rows would bring zod to a page that is to be light.
const base = '/app/api/v1'
const patienceMs = 30_000

/** `failed`: nothing was heard, or the server was busy: the next try may succeed. */
export type Answer<T> =
  | { state: 'ok'; payload: T }
  | { state: 'refused'; code: string; message: string; status: number }
  | { state: 'failed' }

interface Body<T> {
  success: boolean
  payload?: T
  code?: string
  message?: string
  messages?: string[]
}

/** Sends JSON, or a form, whose token is in the body, so that it is in no log. */
export async function ask<T>(path: string, body: object | FormData): Promise<Answer<T>> {
  const isForm = body instanceof FormData
  try {
    const response = await fetch(`${base}${path}`, {
      method: 'POST',
      headers: { 'accept-language': currentLocale(), ...(isForm ? {} : { 'content-type': 'application/json' }) },
      body: isForm ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(patienceMs),
      referrerPolicy: 'no-referrer',
    })
    const answer = (await response.json()) as Body<T>
    if (response.ok && answer.success) return { state: 'ok', payload: answer.payload as T }
    if (response.status >= 500 || response.status === 429) return { state: 'failed' }
    const message = answer.messages?.join(' ') ?? answer.message ?? ''
    return { state: 'refused', code: answer.code ?? '', message, status: response.status }
  } catch {
    return { state: 'failed' }
  }
}

/** The token of a link: behind the #, or, where somebody wrote it so, the last part of the path. */
export const tokenOfPage = (page: string): string =>
  location.hash.slice(1) || decodeURIComponent(location.pathname.replace(new RegExp(`^/${page}/?`), ''))
