import { pushErrors } from '@isotherm/contract/epcis.ts'
import { type GuardedAnswer, requestGuarded } from '../../platform/net/guarded-request.ts'

/** The capture interface of a receiver. */
export interface Receiver {
  url: string
  /** The headers by which the receiver knows us. */
  credentials: Record<string, string>
  allowPrivate: boolean
  timeoutMs: number
  /** After so long an attempt begins nothing more: its receiver says how many parts there are, and may answer slowly. */
  turnMs: number
}

/** The parts of a document that were taken: events before `upTo`, and where their outcome is asked for; empty: nowhere. */
export interface Taken {
  upTo: number
  location: string
}

/** A part that an attempt sent, or whose outcome it asked for: events from `from` on and before `upTo`. */
export interface Part {
  from: number
  upTo: number
  location: string
  /** `unknown`: the receiver perhaps has it. */
  outcome: 'accepted' | 'unknown' | 'refused'
}

/** How an attempt ended. `refused` for good; `later`: it may be tried again. */
export interface Attempt {
  outcome: 'accepted' | 'sent' | 'refused' | 'later'
  status: number | null
  error: string | null
  taken: Taken[]
  parts: Part[]
  /** Its time was over, and it came further: it goes on in its next turn. */
  isCut: boolean
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

/** Faults of a connection before anything was sent. */
const beforeSending: readonly unknown[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']

/**
 * Sends a document, in as many parts as the receiver's limits ask for, from where an earlier attempt stopped. A part that is too large is halved.
 */
export async function deliver(receiver: Receiver, document: Document, before: readonly Taken[]): Promise<Attempt> {
  const { eventList } = document.epcisBody
  const taken = [...before]
  const parts: Part[] = []
  let from = taken.at(-1)?.upTo ?? 0
  let status: number | null = null
  const end = (outcome: Attempt['outcome'], error: string | null, isCut = false): Attempt => ({
    ...{ outcome, status, error, taken, parts, isCut },
  })
  const endsAt = performance.now() + receiver.turnMs
  if (from >= eventList.length) return end('sent', null)
  const limits = await limitsOf(receiver)
  let count = limits.events
  while (from < eventList.length) {
    if (taken.length > before.length && performance.now() >= endsAt) return end('later', null, true)
    const part = (n: number) =>
      JSON.stringify({ ...document, epcisBody: { eventList: eventList.slice(from, from + n) } })
    count = Math.min(count, eventList.length - from)
    let body = part(count)
    while (count > 1 && Buffer.byteLength(body) > limits.bytes) {
      count = Math.ceil(count / 2)
      body = part(count)
    }
    const sent = (outcome: Part['outcome'], location = '') =>
      parts.push({ from, upTo: from + count, location, outcome })
    const answer = await ask(receiver, 'POST', receiver.url, body).catch((error: Error) => error)
    if (answer instanceof Error) {
      if (!('code' in answer && beforeSending.includes(answer.code))) sent('unknown')
      return end('later', pushErrors.noAnswer)
    }
    if ('refused' in answer) return end('refused', answer.refused)
    status = answer.status
    if (status === 413 && count > 1) {
      count = Math.ceil(count / 2)
      continue
    }
    if (status === 408 || status >= 500) sent('unknown')
    if (status === 408 || status === 429 || status >= 500) return end('later', errorOf(answer))
    if (status < 200 || status >= 300) return end('refused', errorOf(answer))
    const location = locationIn(receiver, answer)
    sent(location ? 'unknown' : 'accepted', location)
    from += count
    taken.push({ upTo: from, location })
  }
  return end(taken.some(({ location }) => location) ? 'sent' : 'accepted', null)
}

interface CaptureJob {
  running?: unknown
  success?: unknown
  errors?: unknown
}

/** The answer about one part: `later` where it is not worked off yet, or cannot be asked for now. */
interface PartAnswer extends Pick<Attempt, 'status' | 'error'> {
  outcome: 'accepted' | 'refused' | 'later'
  /** The receiver said what became of it. */
  isFinal: boolean
}

async function askPart(receiver: Receiver, location: string): Promise<PartAnswer> {
  const answer = await ask(receiver, 'GET', location).catch((error: Error) => error)
  const unclear = (outcome: 'refused' | 'later', status: number | null, error: string | null) => ({
    ...{ outcome, status, error, isFinal: false },
  })
  if (answer instanceof Error) return unclear('later', null, pushErrors.noAnswer)
  if ('refused' in answer) return unclear('refused', null, answer.refused)
  const { status } = answer
  if (status === 408 || status === 429 || status >= 500) return unclear('later', status, errorOf(answer))
  if (status !== 200) return unclear('refused', status, errorOf(answer))
  const job = jobIn(answer.text)
  if (!job) return unclear('refused', status, pushErrors.unread)
  if (job.running === true) return unclear('later', status, null)
  if (job.success === true) return { outcome: 'accepted', status, error: null, isFinal: true }
  const [first] = Array.isArray(job.errors) ? job.errors : []
  return { outcome: 'refused', status, error: reasonIn(JSON.stringify(first ?? {})), isFinal: true }
}

/** Asks for the outcome of all parts but those that were accepted before. `later`: one is not worked off yet, and none was refused. */
export async function askOutcome(receiver: Receiver, before: readonly Taken[]): Promise<Attempt> {
  const answers: PartAnswer[] = []
  const parts: Part[] = []
  const taken = [...before]
  const endsAt = performance.now() + receiver.turnMs
  let isOver = false
  for (const [index, { upTo, location }] of before.entries()) {
    if (!location) continue
    isOver = answers.length > 0 && performance.now() >= endsAt
    if (isOver) break
    const answer = await askPart(receiver, location)
    answers.push(answer)
    const { outcome, isFinal } = answer
    if (isFinal && outcome !== 'later') parts.push({ from: before[index - 1]?.upTo ?? 0, upTo, location, outcome })
    if (outcome === 'accepted') taken[index] = { upTo, location: '' }
  }
  const worst =
    answers.find(({ outcome }) => outcome === 'refused') ??
    answers.find(({ outcome }) => outcome === 'later') ??
    answers.at(-1)
  const { outcome, status, error } = worst ?? { outcome: 'accepted', status: null, error: null }
  const isCut = isOver && outcome !== 'refused' && answers.some((one) => one.outcome === 'accepted')
  return { outcome: isOver && outcome === 'accepted' ? 'later' : outcome, status, error, taken, parts, isCut }
}

function jobIn(text: string): CaptureJob | null {
  try {
    const job: unknown = JSON.parse(text)
    return typeof job === 'object' && job !== null ? job : null
  } catch {
    return null
  }
}
