import { setTimeout as sleep } from 'node:timers/promises'
import { apiBase } from '../../contract/src/call.ts'
import { buildCompany, buildUser } from '../../server/test/factories.ts'
import { frameReader } from '../../web/src/lib/event-frames.ts'
import { backoffMs } from '../../web/src/lib/live-stream.ts'
import { faultOf } from '../kill/post.ts'
import { poolOf, type Scene } from './scene.ts'

const count = 6
const callEveryMs = 200

interface Person {
  token: string
  /** Why calls failed. */
  failures: string[]
  calls: number
  /** How long each break of the live stream lasted, ms. */
  gaps: number[]
  /** How often a stream that came back had its reader fetch anew. */
  anew: number
  /** How often a stream that was there had its reader fetch anew. */
  resyncs: number
}

/** The answers that people got. */
interface Served {
  failures: string[]
  longestMs: number
  /** Streams that came back and went on as if nothing had been missed. */
  notAnew: number
  /** People whose stream never broke. */
  steady: number
}

/** People behind haproxy, each with calls and a live stream, which comes back as a browser's does. */
export async function startPeople({ connect, http }: Pick<Scene, 'connect' | 'http'>) {
  const pool = await poolOf({ connect })
  const stage = { pool, clock: { now: () => new Date() } }
  const over = new AbortController()
  const people: Person[] = []
  try {
    const company = await buildCompany(stage)
    for (let index = 0; index < count; index++) {
      const { token } = await buildUser(stage, { company })
      people.push({ token, failures: [], calls: 0, gaps: [], anew: 0, resyncs: 0 })
    }
  } finally {
    await pool.end()
  }
  const url = `http://127.0.0.1:${http}${apiBase}`
  const running = people.flatMap((person) => [call(person, url, over.signal), listen(person, url, over.signal)])
  return {
    /** How often the stream of each had its reader fetch anew, by itself or as it came back. */
    resyncs: () => people.map(({ anew, resyncs }) => anew + resyncs),
    /** Why calls failed, how long a live stream was away at most, and how many that came back did not have their readers fetch anew. */
    async stop(notes: Scene['notes']): Promise<Served> {
      over.abort()
      await Promise.all(running)
      const sum = (of: (person: Person) => number) => people.reduce((all, person) => all + of(person), 0)
      const longestMs = Math.round(Math.max(0, ...people.flatMap(({ gaps }) => gaps)))
      notes['calls of people'] = sum(({ calls }) => calls)
      notes['streams back'] = `${sum(({ gaps }) => gaps.length)}, ${sum(({ anew }) => anew)} anew`
      notes['stream away at most, ms'] = longestMs
      const notAnew = sum(({ gaps, anew }) => gaps.length - anew)
      const steady = people.filter(({ gaps }) => gaps.length === 0).length
      return { failures: people.flatMap(({ failures }) => failures), longestMs, notAnew, steady }
    },
  }
}

/** How long a live stream may be away in a rolling restart. */
const maxStreamGapMs = 3_000

/** No call may fail. */
export function judgeCalls({ faults }: Pick<Scene, 'faults'>, { failures }: Served): void {
  if (failures.length > 0) faults.push(`${failures.length} calls of people failed: ${failures.slice(0, 5).join(', ')}`)
}

/** Where all nodes were restarted, every live stream broke, was soon back, and had its reader fetch anew: ids of another run mean nothing. */
export function judgeRestarts(scene: Pick<Scene, 'faults'>, served: Served): void {
  const { longestMs, notAnew, steady } = served
  judgeCalls(scene, served)
  if (longestMs > maxStreamGapMs) scene.faults.push(`a live stream was away for ${longestMs} ms`)
  if (notAnew > 0) scene.faults.push(`${notAnew} live streams came back and said nothing of what was missed`)
  if (steady > 0) scene.faults.push(`the live streams of ${steady} people never broke`)
}

async function call(person: Person, url: string, signal: AbortSignal) {
  const headers = { authorization: `Bearer ${person.token}` }
  while (!signal.aborted) {
    const fault = await fetch(`${url}/devices/summary`, { headers }).then(
      async (answer) => faultOf(answer.status, await answer.text()),
      (error: Error) => String(error.cause ?? error),
    )
    person.calls++
    if (fault) person.failures.push(fault)
    await sleep(callEveryMs)
  }
}

async function listen(person: Person, url: string, signal: AbortSignal) {
  let lastId = ''
  let endedAt: number | null = null
  let tries = 0
  const feed = frameReader(({ event, data, id }) => {
    lastId = id || lastId
    if (event === 'resync') person.resyncs++
    if (event !== 'hello') return
    tries = 0
    if (endedAt === null) return
    person.gaps.push(performance.now() - endedAt)
    if (!JSON.parse(data).resumed) person.anew++
    endedAt = null
  })
  while (!signal.aborted) {
    try {
      const headers = { authorization: `Bearer ${person.token}`, ...(lastId && { 'last-event-id': lastId }) }
      const { ok, body } = await fetch(`${url}/live`, { headers, signal })
      if (ok && body) for await (const text of body.pipeThrough(new TextDecoderStream())) feed(text)
    } catch {
      // It comes back below.
    }
    endedAt ??= performance.now()
    await sleep(backoffMs(tries++), undefined, { signal }).catch(() => {})
  }
}
