import { connect } from 'node:net'
import { apiBase } from '@isotherm/contract/call.ts'
import type pg from 'pg'
import type { Instance } from './instance.ts'
import type { Answer, ProbeRequest, Spoiled } from './probe.ts'

export interface Person {
  id: string
  email: string
  fullname: string
  token: string
}

/** Two companies, made as people make them: signed up, verified and invited by mail. */
export interface People {
  admin: Person
  manager: Person
  staff: Person
  /** Admin of another company. */
  stranger: Person
  /** A device of the first company, with what speaks for it. */
  device: { id: string; imei: string; secret: string }
}

/** The tools of every check: the instance, its people, and a client of its own. */
export interface World extends People {
  instance: Instance
  /** The client address of this check, so that the limits of one check do not stop another. */
  address: string
  ask(asked: ProbeRequest): Promise<Answer>
  /** The `payload` of an answer. Throws where the call failed: for what a check needs before it looks. */
  // biome-ignore lint/suspicious/noExplicitAny: payloads of every shape
  need(asked: ProbeRequest): Promise<any>
  /** Bytes to the HTTP port as they are; resolves with what came back until the server closed, at most 5 s. */
  raw(bytes: string): Promise<Answer>
  /** The state of a file, the log or the database, or the spoiled view in its place. */
  look<T>(find: () => Promise<T>): Promise<T>
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
}

let addresses = 0

/** A view of the instance for one check; `spoiled` stands between the check and every answer. */
export function worldFor(instance: Instance, people: People, spoiled: Spoiled = {}): World {
  addresses += 1
  const address = `198.18.${addresses >> 8}.${addresses & 255}`
  const seen = (answer: Answer, asked: ProbeRequest): Answer => ({ ...answer, ...spoiled.answer?.(answer, asked) })
  const send = async (asked: ProbeRequest): Promise<Answer> => {
    const url = asked.path.startsWith('//')
      ? `${instance.base}${asked.path.slice(1)}`
      : `${instance.base}${apiBase}${asked.path}`
    const isJson =
      typeof asked.body === 'object' && !(asked.body instanceof Uint8Array) && !(asked.body instanceof FormData)
    const response = await fetch(url, {
      method: asked.method,
      redirect: 'manual',
      headers: {
        'x-forwarded-for': address,
        ...(asked.token ? { authorization: `Bearer ${asked.token}` } : {}),
        ...(isJson ? { 'content-type': 'application/json' } : {}),
        ...asked.headers,
      },
      ...(asked.body === undefined ? {} : { body: isJson ? JSON.stringify(asked.body) : (asked.body as BodyInit) }),
    })
    return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
  }
  return {
    ...people,
    instance,
    address,
    ask: async (asked) => seen(await send(asked), asked),
    async need(asked) {
      const answer = await send(asked)
      if (answer.status !== 200) throw new Error(`${asked.method} ${asked.path}: ${answer.status} ${answer.text}`)
      return JSON.parse(answer.text).payload
    },
    raw: async (bytes) => seen(await exchange(instance.base, bytes), { method: 'RAW', path: bytes }),
    look: async <T>(find: () => Promise<T>) => ('seen' in spoiled ? (spoiled.seen as T) : find()),
    sql: async (text, values) => (await instance.database.query(text, values)).rows,
  }
}

/** One exchange over a socket of its own; the first answer's status and headers, and all that came. */
function exchange(base: string, bytes: string): Promise<Answer> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) })
    let text = ''
    const done = () => {
      socket.destroy()
      const [head = ''] = text.split('\r\n\r\n')
      const [first = '', ...lines] = head.split('\r\n')
      const headers = lines.map((line): [string, string] => {
        const [name = '', ...value] = line.split(':')
        return [name.toLowerCase(), value.join(':').trim()]
      })
      resolve({ status: Number(first.split(' ')[1] ?? 0), headers: Object.fromEntries(headers), text })
    }
    socket.setTimeout(5_000, done)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('end', done)
    socket.on('error', (error) => (text ? done() : reject(error)))
    socket.write(bytes, 'latin1')
  })
}
