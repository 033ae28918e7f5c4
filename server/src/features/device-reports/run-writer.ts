import { fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { RecordContent, ReportContent } from './content.ts'

/** What the writing process is told. */
export interface WriterOrder {
  databaseUrl: string
  /** Of the transaction that gathered the content: the readings are read as it saw them. */
  snapshot: string
  content: ReportContent | RecordContent
  format: 'pdf' | 'csv' | 'xlsx'
  path: string
}

/** What a written file is; hashes in hex. */
export interface Written {
  readings: number
  /** Null of anything but a PDF. */
  pages: number | null
  dataSha256: string
  fileSha256: string
}

export type WriterNews =
  | { kind: 'reading' }
  | { kind: 'progress'; percent: number }
  | { kind: 'written'; written: Written }
  | { kind: 'failed'; reason: string }

const main = fileURLToPath(new URL('./writer/main.ts', import.meta.url))
// Two years of readings need no more: a report is a stream.
const execArgv = ['--max-old-space-size=144', '--max-semi-space-size=4']
const longestMs = 20 * 60_000

/**
 * Writes a file in a process of its own: it can take all the time it needs, and its memory goes with it. `reading` resolves
 * once it reads by the snapshot, `written` when the file is whole; both reject when the process fails.
 */
export function runWriter({ onProgress, ...order }: WriterOrder & { onProgress: (percent: number) => void }) {
  const child = fork(main, [], { execArgv, serialization: 'advanced', stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  if (child.pid !== undefined) giveWay(child.pid)
  const reading = Promise.withResolvers<void>()
  const written = Promise.withResolvers<Written>()
  // Nobody may be waiting for one of them yet when it fails.
  for (const { promise } of [reading, written]) promise.catch(() => {})
  const timer = setTimeout(() => child.kill('SIGKILL'), longestMs)
  let complaint = ''
  const fail = (reason: string) => {
    const error = new Error(`the report could not be written: ${reason}`)
    reading.reject(error)
    written.reject(error)
  }
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk}`.slice(-2000)
  })
  child.on('message', (news: WriterNews) => {
    if (news.kind === 'reading') reading.resolve()
    else if (news.kind === 'progress') onProgress(news.percent)
    else if (news.kind === 'written') written.resolve(news.written)
    else fail(news.reason)
  })
  child.once('error', (error) => fail(error.message))
  child.once('close', (code, signal) => {
    clearTimeout(timer)
    fail(`the process ended with ${signal ?? code}. ${complaint}`)
  })
  child.send(order satisfies WriterOrder)
  return { reading: reading.promise, written: written.promise, pid: child.pid }
}

/** Answers come before reports: the process takes what time the server leaves it. */
function giveWay(pid: number) {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already, or the system forbids it: it is written all the same.
  }
}
