import { fork } from 'node:child_process'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Context } from '../platform/context.ts'
import { urlOf } from '../platform/db/pool.ts'
import { lowerPriority } from '../platform/priority.ts'
import type { openSnapshot } from './snapshot-queries.ts'

/** The first message to the process; then come the parts, one by one, as it asks for them. */
export interface WriterOrder<Order> {
  /** The address of a module whose `write` is a Writer. */
  writer: string
  order: Order
  companyId: number
  databaseUrl: string
  /** The snapshot of the transaction that gathers the parts: readings are read as it saw them. */
  snapshot: string
}

/** The messages of the process: it takes the next part (from then on it reads by the snapshot), it is so far, it has ended. */
export type WriterNews<Written> =
  | { kind: 'next' }
  | { kind: 'progress'; share: number }
  | { kind: 'written'; written: Written }
  | { kind: 'failed'; reason: string }

/** The source of what is written: the parts, and the readings as the snapshot has them. */
export interface Source<Part> {
  next(): Promise<Part>
  rows: Awaited<ReturnType<typeof openSnapshot>>['rows']
  tellShare(share: number): void
}

/** Writes files, within the process, and resolves with the facts about them. */
export type Writer<Order, Part, Written> = (order: Order, source: Source<Part>) => Promise<Written>

/**
 * Answers come before reports. One of a few pages needs a second of a processor, which it gets within some seconds on a busy machine, too: at
 * the lowest priority from the beginning it took three quarters of a minute there. One that is written for longer takes what time the server leaves it.
 */
const shortMs = 10_000
const main = new URL('./write-files.ts', import.meta.url)

/**
 * Starts a writer in a process of its own (docs/adr/0007): it can take all the time it needs, answers are not held up, and its
 * memory goes with it. `give` gives it the next part once it takes one: no more than one waits. `written` rejects when the process
 * fails, and then so does `give`. Two years of readings need no larger heap: a report is a stream.
 */
export function startWriter<Order, Part, Written>(
  { services, companyId }: Pick<Context, 'services' | 'companyId'>,
  { writer, longestMs, ...order }: { writer: URL; order: Order; snapshot: string; longestMs: number },
  onShare: (share: number) => void,
) {
  const child = fork(fileURLToPath(main), [], {
    // Its collector has no threads of its own: a small heap needs none, and several reports would keep every processor busy with them.
    execArgv: ['--max-old-space-size=160', '--max-semi-space-size=4', '--v8-pool-size=0'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const { pid } = child
  if (pid !== undefined) lowerPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  const long = setTimeout(() => pid !== undefined && lowerPriority(pid, constants.priority.PRIORITY_LOW), shortMs)
  const written = awaited<Written>()
  let taken = awaited<void>()
  const timer = setTimeout(() => child.kill('SIGKILL'), longestMs)
  let complaint = ''
  const fail = (reason: string) => {
    const error = new Error(`the report could not be written: ${reason}`)
    written.reject(error)
    taken.reject(error)
  }
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk}`.slice(-2000)
  })
  child.on('message', (news: WriterNews<Written>) => {
    if (news.kind === 'next') taken.resolve()
    else if (news.kind === 'progress') onShare(news.share)
    else if (news.kind === 'written') written.resolve(news.written)
    else fail(news.reason)
  })
  child.on('error', (error) => fail(error.message))
  child.once('close', (code, signal) => {
    clearTimeout(timer)
    clearTimeout(long)
    fail(`the process ended with ${signal ?? code}. ${complaint}`)
  })
  const databaseUrl = urlOf(services.pool)
  child.send({ ...order, writer: writer.href, companyId, databaseUrl } satisfies WriterOrder<Order>)
  return {
    written: written.promise,
    async give(part: Part): Promise<void> {
      await taken.promise
      taken = awaited()
      child.send({ part })
    },
    stop: () => void child.kill('SIGKILL'),
  }
}

function awaited<T>() {
  const made = Promise.withResolvers<T>()
  // Nobody may be waiting for it yet when it fails.
  made.promise.catch(() => {})
  return made
}
