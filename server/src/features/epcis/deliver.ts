import { type GuardedAnswer, requestGuarded } from '../../platform/net/guarded-request.ts'

/** The capture interface of a receiver. */
export interface Receiver {
  url: string
  /** The headers by which the receiver knows us. */
  credentials: Record<string, string>
  allowPrivate: boolean
  timeoutMs: number
}

/** The parts of a document that were taken: events before `upTo`, and where their outcome is asked for; empty: nowhere. */
export interface Taken {
  upTo: number
  location: string
}

/** How an attempt ended. `refused` for good; `later`: it may be tried again. */
export interface Attempt {
  outcome: 'accepted' | 'sent' | 'refused' | 'later'
  status: number | null
  error: string | null
  taken: Taken[]
}

interface Document {
  epcisBody: { eventList: unknown[] }
}

const version = { 'gs1-epcis-version': '2.0.0', 'gs1-cbv-version': '2.0.0' }
/** The most events that we send at once, and the most bytes, where the receiver names no limits of its own. */
const ours = { events: 2_000, bytes: 4_000_000 }

const ask = (receiver: Receiver, method: 'GET' | 'POST' | 'OPTIONS', url: string, body?: string) =>
  requestGuarded({
    ...{ method, url, allowPrivate: receiver.allowPrivate, timeoutMs: receiver.timeoutMs },
    headers: {
      ...{ accept: 'application/json', ...version, ...receiver.credentials },
      ...(method === 'POST'
        ? { 'content-type': 'application/ld+json', 'gs1-capture-error-behaviour': 'rollback' }
        : {}),
    },
    ...(body === undefined ? {} : { body }),
  })

const limitIn = (answer: GuardedAnswer, header: string, most: number): number => {
  const limit = Number(answer.headers[header])
  return Number.isSafeInteger(limit) && limit > 0 ? Math.min(limit, most) : most
}

/** The limits of a receiver, which OPTIONS tells; ours where it does not answer that. */
async function limitsOf(receiver: Receiver): Promise<typeof ours> {
  const answer = await ask(receiver, 'OPTIONS', receiver.url).catch(() => null)
  if (!answer || 'refused' in answer || answer.status >= 300) return ours
  return {
    events: limitIn(answer, 'gs1-epcis-capture-limit', ours.events),
    bytes: limitIn(answer, 'gs1-epcis-capture-file-size-limit', ours.bytes),
  }
}

/** The answer in a line: a problem's title and detail, without control characters. */
export function reasonIn(text: string): string {
  let said = text
  try {
    const { title, detail } = JSON.parse(text) as { title?: unknown; detail?: unknown }
    said = [title, detail].filter((part) => typeof part === 'string').join(': ') || text
  } catch {
    // Then as it is.
  }
  return said
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()
    .slice(0, 300)
}

const errorOf = ({ status, text }: GuardedAnswer): string => `${status} ${reasonIn(text)}`.trim()

/** Where the outcome is asked for: only where our credentials may go. */
function locationIn(receiver: Receiver, { headers }: GuardedAnswer): string {
  const { location } = headers
  if (!location || !URL.canParse(location, receiver.url)) return ''
  const url = new URL(location, receiver.url)
  return url.origin === new URL(receiver.url).origin ? url.href : ''
}

/**
 * Sends a document, in as many parts as the receiver's limits ask for, from where an earlier attempt stopped. A part that is too large is halved.
 */
export async function deliver(receiver: Receiver, document: Document, before: readonly Taken[]): Promise<Attempt> {
  const { eventList } = document.epcisBody
  const taken = [...before]
  let from = taken.at(-1)?.upTo ?? 0
  let status: number | null = null
  const end = (outcome: Attempt['outcome'], error: string | null): Attempt => ({ outcome, status, error, taken })
  if (from >= eventList.length) return end('sent', null)
  const limits = await limitsOf(receiver)
  let count = limits.events
  while (from < eventList.length) {
    const part = (n: number) =>
      JSON.stringify({ ...document, epcisBody: { eventList: eventList.slice(from, from + n) } })
    count = Math.min(count, eventList.length - from)
    let body = part(count)
    while (count > 1 && Buffer.byteLength(body) > limits.bytes) {
      count = Math.ceil(count / 2)
      body = part(count)
    }
    const answer = await ask(receiver, 'POST', receiver.url, body).catch((error: Error) => error)
    if (answer instanceof Error) return end('later', 'no answer')
    if ('refused' in answer) return end('refused', answer.refused)
    status = answer.status
    if (status === 413 && count > 1) {
      count = Math.ceil(count / 2)
      continue
    }
    if (status === 408 || status === 429 || status >= 500) return end('later', errorOf(answer))
    if (status < 200 || status >= 300) return end('refused', errorOf(answer))
    from += count
    taken.push({ upTo: from, location: locationIn(receiver, answer) })
  }
  return end(taken.some(({ location }) => location) ? 'sent' : 'accepted', null)
}

interface CaptureJob {
  running?: unknown
  success?: unknown
  errors?: unknown
}

/** Asks for the outcome of all parts. `later`: one is not worked off yet. */
export async function askOutcome(receiver: Receiver, taken: readonly Taken[]): Promise<Attempt> {
  let status: number | null = null
  const end = (outcome: Attempt['outcome'], error: string | null): Attempt => ({
    ...{ outcome, status, error, taken: [...taken] },
  })
  for (const { location } of taken) {
    if (!location) continue
    const answer = await ask(receiver, 'GET', location).catch((error: Error) => error)
    if (answer instanceof Error) return end('later', 'no answer')
    if ('refused' in answer) return end('refused', answer.refused)
    status = answer.status
    if (status === 408 || status === 429 || status >= 500) return end('later', errorOf(answer))
    if (status !== 200) return end('refused', errorOf(answer))
    const job = jobIn(answer.text)
    if (!job) return end('refused', 'the outcome cannot be read')
    if (job.running === true) return end('later', null)
    if (job.success !== true) {
      const [first] = Array.isArray(job.errors) ? job.errors : []
      return end('refused', reasonIn(JSON.stringify(first ?? {})))
    }
  }
  return end('accepted', null)
}

function jobIn(text: string): CaptureJob | null {
  try {
    const job: unknown = JSON.parse(text)
    return typeof job === 'object' && job !== null ? job : null
  } catch {
    return null
  }
}
