import { errorOf, type IsothermError } from './error.ts'

export interface Connection {
  baseUrl: string
  key: string
  fetch: typeof fetch
  tries: number
  language: string | undefined
}

export interface Request {
  method: string
  path: string
  query?: object | undefined
  body?: unknown
  signal?: AbortSignal | undefined
  idempotencyKey?: string | undefined
}

const longestWaitS = 60

/**
 * Sends a call, and again where the server was too busy, asked to wait, or the line broke. That is safe: a call that writes has a key by
 * which it is done once. Throws IsothermError for what the server refuses, TypeError where it cannot be reached.
 */
export async function send(to: Connection, request: Request): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const failed = await attempt(to, request)
    if (failed instanceof Response) return failed
    if (tries >= to.tries || !mayTryAgain(failed)) throw failed
    await pause(waitS(failed, tries), request.signal)
  }
}

async function attempt(to: Connection, { method, path, query, body, signal, idempotencyKey }: Request) {
  const url = new URL(`${to.baseUrl.replace(/\/+$/, '')}/app/api/v1${path}`)
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value))
  const isForm = body instanceof FormData
  const headers = {
    authorization: `Bearer ${to.key}`,
    ...(to.language && { 'accept-language': to.language }),
    ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
  }
  const sent = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }
  try {
    const response = await to.fetch(url, { method, headers, ...sent, ...(signal && { signal }) })
    return response.ok ? response : await errorOf(response)
  } catch (error) {
    if (signal?.aborted) throw error
    return error as TypeError
  }
}

const passing = [429, 502, 503, 504]

const mayTryAgain = (failed: IsothermError | TypeError): boolean =>
  !('status' in failed) || passing.includes(failed.status)

/** As long as the server says, or half a second, then twice as long each time, less up to a quarter by chance. */
function waitS(failed: IsothermError | TypeError, tries: number): number {
  const told = 'retryAfterS' in failed ? failed.retryAfterS : null
  return Math.min(longestWaitS, told ?? 0.5 * 2 ** (tries - 1) * (1 - Math.random() / 4))
}

/** Resolves after some seconds; rejects as soon as the signal is aborted. */
export const pause = (seconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1000)
    signal?.addEventListener('abort', stop, { once: true })
  })
