import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Certificate } from './certificate.ts'
import { freePort } from './free-port.ts'

export const hasNats = spawnSync('nats-server', ['-v']).status === 0

/** Why tests of NATS are left out. */
export const noNats = 'nats-server is not installed (apt-get install nats-server)'

export interface NatsServer {
  /** `HOST:PORT`. */
  address: string
  /** Starts it again at the same port after `kill`. */
  start(): Promise<void>
  kill(): Promise<void>
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
}

/** Arguments of a server that lets in over TLS only, and only who shows this certificate. */
export const overTls = ({ certFile, keyFile }: Certificate): string[] => [
  ...['--tls', '--tlscert', certFile, '--tlskey', keyFile, '--tlsverify', '--tlscacert', certFile],
]

/** A NATS server on loopback that a test may kill and hang; `more` are further arguments of it. */
export async function startNats(more: readonly string[] = []): Promise<NatsServer> {
  const port = await freePort()
  let child: ChildProcess | null = null
  const server: NatsServer = {
    address: `127.0.0.1:${port}`,
    async start() {
      const started = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port), ...more], { stdio: 'ignore' })
      child = started
      while (!(await answers(port))) {
        if (started.exitCode !== null) throw new Error(`nats-server ended with ${started.exitCode}`)
        await sleep(20)
      }
    },
    async kill() {
      const dying = child
      child = null
      if (!dying || dying.exitCode !== null) return
      const exited = once(dying, 'exit')
      dying.kill('SIGKILL')
      await exited
    },
    signal: (name) => void child?.kill(name),
  }
  await server.start()
  return server
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
