import { fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'

/** How every writing process ends; what else it tells is its own. */
export type WriterEnd<Written> = { kind: 'written'; written: Written } | { kind: 'failed'; reason: string }

interface Start<News> {
  /** The module it runs; see writing.ts. */
  main: URL
  order: object
  /** The limit of its heap, MB. */
  heapMb: number
  longestMs: number
  onNews?: (news: News) => void
  /** Called again for each thing that fails: also what is sent to a process that has ended. */
  onFail?: (error: Error) => void
}

/**
 * Writes files in a process of its own (docs/adr/0007): it can take all the time it needs, answers are not held up, and its
 * memory goes with it. `written` rejects when the process fails.
 */
export function startWriterProcess<Written, News extends { kind: string } = never>(start: Start<News>) {
  const child = fork(fileURLToPath(start.main), [], {
    execArgv: [`--max-old-space-size=${start.heapMb}`, '--max-semi-space-size=4'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  if (child.pid !== undefined) giveWay(child.pid)
  const written = Promise.withResolvers<Written>()
  // Nobody may be waiting for it yet when it fails.
  written.promise.catch(() => {})
  const timer = setTimeout(() => child.kill('SIGKILL'), start.longestMs)
  let complaint = ''
  const fail = (reason: string) => {
    const error = new Error(`the report could not be written: ${reason}`)
    written.reject(error)
    start.onFail?.(error)
  }
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk}`.slice(-2000)
  })
  child.on('message', (news: WriterEnd<Written> | News) => {
    if (isEnd(news)) {
      if (news.kind === 'written') written.resolve(news.written)
      else fail(news.reason)
    } else start.onNews?.(news)
  })
  child.on('error', (error) => fail(error.message))
  child.once('close', (code, signal) => {
    clearTimeout(timer)
    fail(`the process ended with ${signal ?? code}. ${complaint}`)
  })
  child.send(start.order)
  return {
    written: written.promise,
    send: (word: object) => void child.send(word),
    stop: () => void child.kill('SIGKILL'),
  }
}

const isEnd = <Written>(news: WriterEnd<Written> | { kind: string }): news is WriterEnd<Written> =>
  news.kind === 'written' || news.kind === 'failed'

/** Answers come before reports: the process takes what time the server leaves it. */
function giveWay(pid: number) {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It has ended already, or the system forbids it: it is written all the same.
  }
}
