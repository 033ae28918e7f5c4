import { setTimeout as sleep } from 'node:timers/promises'
import type { Uplink, UplinkOptions } from './uplink.ts'
import { type Answer, type Batch, readAnswer } from './wire.ts'

/** The server refused, and trying again will not help: wrong secret, unknown tracker. */
export class RefusedError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.name = 'RefusedError'
    this.status = status
  }
}

export type PostOptions = {
  baseUrl: string
  imei: string
  secret: string
  signal: AbortSignal
  /** How often to try before giving up; waits for Retry-After, or a growing while. */
  attempts?: number
}

const timeoutMs = 60_000

/** Posts one batch to `/app/api/v1/ingest/{imei}` and waits its turn: 503, 429 and lost connections are tried again. */
export async function postBatch(options: PostOptions, batch: Batch): Promise<Answer> {
  const url = new URL(`/app/api/v1/ingest/${options.imei}`, options.baseUrl)
  const body = JSON.stringify(batch)
  const attempts = options.attempts ?? 60
  for (let attempt = 1; ; attempt++) {
    const result = await tryPost(url, body, options)
    if ('answer' in result) return result.answer
    if (attempt >= attempts) throw new Error(`${options.imei}: ${result.problem} after ${attempt} attempts`)
    await sleep(result.waitMs ?? Math.min(15_000, 250 * 1.6 ** attempt), undefined, { signal: options.signal })
  }
}

type Tried = { answer: Answer } | { problem: string; waitMs?: number }

async function tryPost(url: URL, body: string, { secret, signal, imei }: PostOptions): Promise<Tried> {
  let response: Response
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    const text = await response.text()
    if (response.ok) {
      const answer = readAnswer(parsed(text))
      return answer ? { answer } : { problem: `an answer that is none: ${text.slice(0, 120)}` }
    }
    if (response.status < 500 && response.status !== 429 && response.status !== 408) {
      throw new RefusedError(response.status, `${imei}: HTTP ${response.status} ${text.slice(0, 200)}`)
    }
    const waitMs = retryAfterMs(response.headers.get('retry-after'))
    return { problem: `HTTP ${response.status}`, ...(waitMs === null ? {} : { waitMs }) }
  } catch (error) {
    if (error instanceof RefusedError || signal.aborted) throw error
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Retry-After in seconds or as an HTTP date; at most a minute. */
export function retryAfterMs(header: string | null, nowMs = Date.now()): number | null {
  if (header === null) return null
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs
  return Number.isFinite(ms) ? Math.min(60_000, Math.max(0, ms)) : null
}

/** A tracker that speaks HTTP: commands come with the answers to its posts. */
export function httpUplink(baseUrl: string, { imei, secret, signal, onCommands }: UplinkOptions): Uplink {
  return {
    listens: false,
    send: async (readings, acks) => {
      const batch: Batch = acks.length > 0 ? { readings, acks } : { readings }
      const answer = await postBatch({ baseUrl, imei, secret, signal, attempts: 5 }, batch)
      onCommands(answer.commands)
    },
    leave: async () => undefined,
    join: () => undefined,
  }
}
