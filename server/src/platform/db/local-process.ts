import { readFileSync } from 'node:fs'
import type pg from 'pg'

/** As pg has them: the process that serves a connection, and the connection's socket. */
interface Inside {
  processID: number
  connection: { stream: { localPort?: number } }
}

const found = new WeakMap<object, number | null>()

/** The PostgreSQL process of an open connection where it runs on this machine, else null: its title names the port that the connection comes from, or that it is local. */
export function localProcess(client: pg.Client | pg.PoolClient): number | null {
  const known = found.get(client)
  if (known !== undefined) return known
  const { processID, connection } = client as unknown as Inside
  const title = readOrNone(`/proc/${processID}/cmdline`)
  const { localPort } = connection.stream
  const isOurs =
    title.startsWith('postgres: ') && title.includes(localPort === undefined ? ' [local]' : `(${localPort})`)
  found.set(client, isOurs ? processID : null)
  return isOurs ? processID : null
}

/** Processor time that the process of a connection has used so far, ms; undefined where it runs elsewhere or the system does not tell. */
export function processorMs(client: pg.Client | pg.PoolClient): number | undefined {
  const pid = localProcess(client)
  if (pid === null) return undefined
  const [nanoseconds] = readOrNone(`/proc/${pid}/schedstat`).split(' ')
  return Number(nanoseconds) / 1e6 || undefined
}

function readOrNone(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
