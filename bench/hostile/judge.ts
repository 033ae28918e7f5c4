import { createHash } from 'node:crypto'
import { textOf } from '../../server/test/text-of.ts'
import type { Canaries, Letter, Reader } from './canaries.ts'
import { type Answer, type Client, NoAnswer } from './client.ts'
import type { Sent } from './far-ends.ts'
import type { Ready } from './ready.ts'
import type { Tally } from './tally.ts'
import { isAdmins, type World } from './world.ts'

const isStranger = ({ caller }: Ready) => ['nobody', 'garbage', 'odd', 'ended'].includes(caller)

// A device's own answers hold nothing of others; who has a report's key or link is told what it is about.
const mayKnowPrivate = ({ caller, path }: Ready) =>
  caller === 'admin' || caller === 'device' || /\/(?:verify-report|report-files)\//.test(path)

const headersOf = ({ headers }: Answer) =>
  JSON.stringify(Object.entries(headers).filter(([name]) => name !== 'server-timing' && name !== 'x-begun-at'))

function near(text: string, what: string): string {
  const at = text.indexOf(what)
  return text.slice(Math.max(0, at - 150), at + 150)
}

/** A request in words, for who looks for what went wrong. */
export function described({ method, path, headers, body, raw, caller, side }: Ready): string {
  const sent = raw
    ? `raw ${JSON.stringify(raw.slice(0, 300))}`
    : `${method} ${path.slice(0, 400)} ${JSON.stringify(headers).slice(0, 400)} ${body?.toString().slice(0, 500) ?? ''}`
  return `${side.letter} ${caller}: ${sent}`
}

/** Sends requests, and finds what is wrong with their answers and with all that the server sends by itself. */
export class Judge {
  readonly #client: Client
  readonly #canaries: Canaries
  readonly #tally: Tally
  /** Since when each world's private device is private, by the number of the world. */
  readonly #hiddenSince: number[] = []
  /** The worlds of private devices, by their ids. */
  readonly #hiddenIds = new Map<string, number>()
  readonly #texts = new Map<string, string>()
  /** Answers and messages that held a canary their reader may know: of the tenant, and of its private devices. */
  readonly seen = { own: 0, private: 0 }
  /** How many messages came, by kind. */
  readonly told: Record<string, number> = {}

  constructor(client: Client, canaries: Canaries, tally: Tally) {
    this.#client = client
    this.#canaries = canaries
    this.#tally = tally
  }

  /** From now on nobody but an Admin may hear of this world's private devices. */
  knows(world: World) {
    this.#hiddenSince[world.number] = Date.now()
    for (const side of Object.values(world.sides)) this.#hiddenIds.set(side.values.hidden ?? '', world.number)
  }

  #hiddenUpTo(at: number): number {
    return this.#hiddenSince.findLastIndex((since) => since !== undefined && since < at)
  }

  /** The answer; undefined where none came, or the request was no HTTP. */
  async exchange(index: number, sent: Ready): Promise<Answer | undefined> {
    const hiddenUpTo = this.#hiddenUpTo(Date.now())
    const fault = (what: string, kind: string) =>
      this.#tally.fault({ what, index, request: described(sent) }, `${kind} ${sent.origin}`)
    const look = (all: string) => {
      const reader = { tenant: sent.side.letter, isAdmin: mayKnowPrivate(sent) }
      const leaks = this.#leaksTo(reader, all, hiddenUpTo)
      if (leaks.length > 0) fault(`tells of ${leaks.slice(0, 8).join(', ')}: ${near(all, leaks[0] ?? '')}`, 'leak')
    }
    try {
      if (sent.raw) {
        const text = await this.#client.sendRaw(sent.raw)
        const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 'hung up'
        this.#tally.count('raw', status)
        if (status.startsWith('5')) fault(`raw: ${text.slice(0, 300)}`, `raw ${status}`)
        look(text)
        return undefined
      }
      const answer = await this.#client.send(sent)
      this.#tally.count(sent.caller, answer.status)
      this.#tally.took(answer.ms, index, sent.origin)
      const text = await this.#textIn(answer)
      if (answer.status >= 500) fault(`${answer.status} ${text.slice(0, 500)}`, String(answer.status))
      if (answer.status < 300 && isStranger(sent) && !sent.isOpen)
        fault(`${answer.status} without a session`, 'open door')
      look(`${headersOf(answer)}\n${text}`)
      return answer
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      this.#tally.count(sent.caller, 'no answer')
      fault(`no answer: ${error.message}`, `no answer (${error.message})`)
      return undefined
    }
  }

  #leaksTo(reader: Reader, text: string, hiddenUpTo: number): string[] {
    const found = this.#canaries.in(text)
    if (found.length > 0) this.seen.own++
    if (reader.isAdmin && found.some(({ owner }) => owner.world > 0)) this.seen.private++
    return this.#canaries.leaksTo(reader, found, hiddenUpTo)
  }

  async #textIn({ body, headers }: Answer): Promise<string> {
    const type = String(headers['content-type'])
    if (!/pdf|spreadsheet/.test(type)) return body.toString()
    const digest = createHash('sha256').update(body).digest('hex')
    const known = this.#texts.get(digest)
    if (known !== undefined) return known
    // A HEAD, or a part of a file, cannot be read as one.
    const text = await textOf(body, type).catch(() => body.toString())
    if (this.#texts.size > 2_000) this.#texts.clear()
    this.#texts.set(digest, text)
    return text
  }

  /** Looks at a mail, a message or an event of a live stream. */
  readonly heard = ({ kind, to, text, at }: Sent) => {
    this.told[kind] = (this.told[kind] ?? 0) + 1
    const all = `${to}\n${text}`
    // Messages sent just before may still arrive.
    const hiddenUpTo = this.#hiddenUpTo(at - 1_000)
    const fault = (what: string) =>
      this.#tally.fault(
        { what, index: -1, request: `${kind} to ${to}: ${text.slice(0, 400)}` },
        `${what.slice(0, 40)} ${kind}`,
      )
    const isStream = kind === 'stream'
    const tenant = isStream ? (to[0] as Letter) : this.#canaries.in(all)[0]?.owner.tenant
    if (!tenant) return
    const isAdmin = isStream ? to.endsWith('admin') : isAdmins(to)
    const leaks = this.#leaksTo({ tenant, isAdmin }, all, hiddenUpTo)
    if (leaks.length > 0) fault(`tells ${to} of ${leaks.slice(0, 5).join(', ')}`)
    const worlds = [...text.matchAll(/"deviceId":"(\d+)"/g)].map(([, id]) => this.#hiddenIds.get(id ?? '') ?? 0)
    if (isStream && !isAdmin && worlds.some((world) => world > 0 && world <= hiddenUpTo))
      fault(`the stream of ${to} names a private device`)
  }
}
