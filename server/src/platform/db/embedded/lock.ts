import { stat, unlink } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartRefused } from '../../errors/start-refused.ts'

/** Held by the one server of a data folder; `release` is idempotent. */
export type Lock = { release(): Promise<void> }

export class LockedError extends Error {
  readonly holder: number
  constructor(dir: string, holder: number) {
    const who = holder > 0 ? `process ${holder}` : 'which does not answer'
    super(`${dir} is in use by another Isotherm server (${who}). Stop it, or set another DATA_DIR.`)
    this.holder = holder
  }
}

/**
 * Takes the lock of an existing folder or throws LockedError. The lock is a listening local socket named after the
 * folder's inode: the kernel frees it with the process, so there are no stale locks, and it answers with its owner's pid.
 */
export async function lock(dir: string): Promise<Lock> {
  const { dev, ino } = await stat(dir)
  const name = socketName(`isotherm-${dev}-${ino}`)
  // A process that asks may be gone before it is answered.
  const server = createServer((socket) => socket.on('error', () => {}).end(String(process.pid)))
  for (let attempt = 0; attempt < 3; attempt++) {
    if (await listens(server, name)) {
      server.unref()
      return { release: () => new Promise((done) => server.close(() => done())) }
    }
    const holder = await askHolder(name)
    if (holder !== null) throw new LockedError(dir, holder)
    if (!name.startsWith('\0')) await unlink(name).catch(() => {})
  }
  throw new StartRefused(`Cannot take the lock of ${dir}.`)
}

/** Linux has socket names outside the file system; elsewhere a file in the temporary folder stands in. */
const socketName = (name: string) => (process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.lock`))

function listens(server: Server, name: string): Promise<boolean> {
  return new Promise((done, failed) => {
    const refused = (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? done(false) : failed(error))
    server.once('error', refused)
    server.listen(name, () => {
      server.off('error', refused)
      done(true)
    })
  })
}

function askHolder(name: string): Promise<number | null> {
  return new Promise((done) => {
    let answer = ''
    const socket = connect(name)
    socket.setTimeout(2000, () => socket.destroy(new Error('timeout')))
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('end', () => done(Number(answer)))
    socket.on('error', (error: NodeJS.ErrnoException) => done(error.code === 'ECONNREFUSED' ? null : 0))
  })
}
