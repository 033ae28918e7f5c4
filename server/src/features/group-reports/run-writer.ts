import { fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { GroupReportContent } from './content.ts'

/** What the writing process is told. */
export interface WriterOrder {
  content: GroupReportContent
  format: 'pdf' | 'csv' | 'xlsx'
  path: string
}

/** What a written file is; `pages` null of anything but a PDF. */
export interface Written {
  pages: number | null
  /** Hex. */
  fileSha256: string
}

export type WriterNews = { kind: 'written'; written: Written } | { kind: 'failed'; reason: string }

const main = fileURLToPath(new URL('./writer/main.ts', import.meta.url))
const execArgv = ['--max-old-space-size=144', '--max-semi-space-size=4']
const longestMs = 5 * 60_000

/** Writes a file in a process of its own: laying out pages must not hold up answers, and its memory goes with it. */
export function runWriter(order: WriterOrder): Promise<Written> {
  const child = fork(main, [], { execArgv, serialization: 'advanced', stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  if (child.pid !== undefined) giveWay(child.pid)
  const { promise, resolve, reject } = Promise.withResolvers<Written>()
  const timer = setTimeout(() => child.kill('SIGKILL'), longestMs)
  let complaint = ''
  const fail = (reason: string) => reject(new Error(`the group report could not be written: ${reason}`))
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk}`.slice(-2000)
  })
  child.on('message', (news: WriterNews) => {
    if (news.kind === 'written') resolve(news.written)
    else fail(news.reason)
  })
  child.once('error', (error) => fail(error.message))
  child.once('close', (code, signal) => {
    clearTimeout(timer)
    fail(`the process ended with ${signal ?? code}. ${complaint}`)
  })
  child.send(order)
  return promise
}

/** Answers come before reports: the process takes what time the server leaves it. */
function giveWay(pid: number) {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already, or the system forbids it: it is written all the same.
  }
}
