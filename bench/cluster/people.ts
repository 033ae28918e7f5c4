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
      people.push({ token, failures: [], calls: 0, gaps: [], anew: 0 })
    }
  } finally {
    await pool.end()
  }
  const url = `http://127.0.0.1:${http}${apiBase}`
  const running = people.flatMap((person) => [call(person, url, over.signal), listen(person, url, over.signal)])
  return {
    /** Why calls failed, and how long a live stream was away at most, ms. */
    async stop(notes: Scene['notes']): Promise<{ failures: string[]; longestMs: number }> {
      over.abort()
      await Promise.all(running)
      const sum = (of: (person: Person) => number) => people.reduce((all, person) => all + of(person), 0)
      const longestMs = Math.round(Math.max(0, ...people.flatMap(({ gaps }) => gaps)))
      notes['calls of people'] = sum(({ calls }) => calls)
      notes['streams back'] = `${sum(({ gaps }) => gaps.length)}, ${sum(({ anew }) => anew)} anew`
      notes['stream away at most, ms'] = longestMs
      return { failures: people.flatMap(({ failures }) => failures), longestMs }
    },
  }
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
