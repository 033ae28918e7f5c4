import { apiBase } from '@isotherm/contract/call.ts'
import { type LiveEventName, liveEvents } from '@isotherm/contract/live.ts'

export interface HeardEvent {
  event: LiveEventName
  id: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
  data: any
}

export interface Listener {
  status: number
  headers: Headers
  /** Everything heard so far; every event has the shape the contract gives it. */
  heard: HeardEvent[]
  /** Waits for the next event of a kind that nobody waited for yet. */
  next(event: LiveEventName): Promise<HeardEvent>
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>
  stop(): void
}

/** Opens the live stream of a server that listens at `url`, as a browser does. */
export async function listen(url: string, token: string, lastId?: string): Promise<Listener> {
  const stopping = new AbortController()
  const answer = await fetch(`${url}${apiBase}/live`, {
    headers: { authorization: `Bearer ${token}`, ...(lastId ? { 'last-event-id': lastId } : {}) },
    signal: stopping.signal,
  })
  const heard: HeardEvent[] = []
  const taken = new Set<HeardEvent>()
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const each of waiting) each()
  }
  const read = async () => {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of answer.body ?? []) {
      const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) heard.push(parse(block))
      wake()
    }
  }
  const ended = answer.ok ? read().catch(() => undefined) : Promise.resolve()
  return {
    status: answer.status,
    headers: answer.headers,
    heard,
    ended,
    next(event) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const found = heard.find((each) => each.event === event && !taken.has(each))
          if (!found) return
          taken.add(found)
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
        void ended.then(() => reject(new Error(`the stream ended without "${event}"`)))
      })
    },
    stop: () => stopping.abort(),
  }
}

function parse(block: string): HeardEvent {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
  const event = field('event') as LiveEventName
  return { event, id: field('id'), data: liveEvents[event].parse(JSON.parse(field('data') ?? '')) }
}
