import { fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { DeviceDetail, RunOrder, WriterNews, Written } from './order.ts'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))
const execArgv = ['--max-old-space-size=160', '--max-semi-space-size=4']
const longestMs = 60 * 60_000

/**
 * Writes a run's files in a process of its own (docs/adr/0007). `tell` gives it the next device (null: that was all) and
 * resolves once it has taken it: no more than one device waits. `written` rejects when the process fails, and then so does `tell`.
 */
export function startWriter(order: RunOrder, onShare: (share: number) => void) {
  const child = fork(main, [], { execArgv, serialization: 'advanced', stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  if (child.pid !== undefined) giveWay(child.pid)
  const written = Promise.withResolvers<Written>()
  // Nobody may be waiting for it yet when it fails.
  written.promise.catch(() => {})
  const timer = setTimeout(() => child.kill('SIGKILL'), longestMs)
  let complaint = ''
  let isReady = Promise.withResolvers<void>()
  isReady.promise.catch(() => {})
  const fail = (reason: string) => {
    const error = new Error(`the report could not be written: ${reason}`)
    written.reject(error)
    isReady.reject(error)
  }
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk}`.slice(-2000)
  })
  child.on('message', (news: WriterNews) => {
    if (news.kind === 'next') isReady.resolve()
    else if (news.kind === 'progress') onShare(news.share)
    else if (news.kind === 'written') written.resolve(news.written)
    else fail(news.reason)
  })
  // Of a process that could not be started, and again of what is sent to it then.
  child.on('error', (error) => fail(error.message))
  child.once('close', (code, signal) => {
    clearTimeout(timer)
    fail(`the process ended with ${signal ?? code}. ${complaint}`)
  })
  child.send(order)
  return {
    written: written.promise,
    async tell(device: DeviceDetail | null): Promise<void> {
      await isReady.promise
      isReady = Promise.withResolvers<void>()
      isReady.promise.catch(() => {})
      child.send({ device })
      // Of the last word nobody asks for a next one; what reads by the snapshot does so since the first.
      if (device) await isReady.promise
    },
    stop: () => void child.kill('SIGKILL'),
  }
}

/** Answers come before reports: the process takes what time the server leaves it. */
function giveWay(pid: number) {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already, or the system forbids it: it is written all the same.
  }
}
