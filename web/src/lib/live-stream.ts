import { apiBase } from '@isotherm/contract/call.ts'
import { type Frame, frameReader } from './event-frames.ts'

export type LiveStatus = 'connecting' | 'live' | 'reconnecting'

interface StreamEnds {
  token(): string | null
  lastId(): string | null
  onFrame(frame: Frame): void
  /** Every chunk, heartbeats too: the line is alive. */
  onSign(): void
  onStatus(status: LiveStatus): void
  onUnauthenticated(): void
}

const firstDelayMs = 1_000
const longestDelayMs = 30_000
/** The server gives a sign of life every 15 s (contract: heartbeatMs); without one for this long the line is dead. */
const silenceMs = 40_000

/** Waits 1, 2, 4 ... 30 s, spread so that a thousand browsers do not return in the same second. */
export const backoffMs = (attempt: number, random = Math.random()): number =>
  Math.min(longestDelayMs, firstDelayMs * 2 ** attempt) * (0.5 + random / 2)

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer)
      removeEventListener('online', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    addEventListener('online', done)
    signal.addEventListener('abort', done)
  })

/** Keeps one event stream open until `signal` aborts: reconnects with backoff and asks for what it missed. */
export async function keepStream(ends: StreamEnds, signal: AbortSignal) {
  let attempt = 0
  while (!signal.aborted) {
    ends.onStatus(attempt === 0 ? 'connecting' : 'reconnecting')
    const opened = await readStream(ends, signal, () => {
      attempt = 0
      ends.onStatus('live')
    })
    if (signal.aborted || opened === 'unauthenticated') return
    ends.onStatus('reconnecting')
    await pause(backoffMs(attempt), signal)
    attempt += 1
  }
}

async function readStream(
  ends: StreamEnds,
  signal: AbortSignal,
  onOpen: () => void,
): Promise<'ended' | 'unauthenticated'> {
  const silence = new AbortController()
  let watch: ReturnType<typeof setTimeout> | undefined
  const sign = () => {
    clearTimeout(watch)
    watch = setTimeout(() => silence.abort(), silenceMs)
  }
  // The browser knows at once that its network is gone; the silence would take 40 s to tell.
  const cut = () => silence.abort()
  addEventListener('offline', cut)
  try {
    sign()
    const lastId = ends.lastId()
    const response = await fetch(`${apiBase}/live`, {
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${ends.token() ?? ''}`,
        ...(lastId ? { 'last-event-id': lastId } : {}),
      },
      cache: 'no-store',
      signal: AbortSignal.any([signal, silence.signal]),
    })
    if (response.status === 401) {
      ends.onUnauthenticated()
      return 'unauthenticated'
    }
    if (!response.ok || !response.body) return 'ended'
    onOpen()
    const feed = frameReader(ends.onFrame)
    const decoder = new TextDecoder()
    for (const reader = response.body.getReader(); ; ) {
      const { done, value } = await reader.read()
      if (done) return 'ended'
      sign()
      ends.onSign()
      feed(decoder.decode(value, { stream: true }))
    }
  } catch {
    return 'ended'
  } finally {
    removeEventListener('offline', cut)
    clearTimeout(watch)
  }
}
