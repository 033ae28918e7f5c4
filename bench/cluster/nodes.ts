import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { heapFlags } from '../../scripts/run/heap-flags.mjs'
import { ended } from '../pipeline/stage.ts'

const main = new URL('../../server/src/main.ts', import.meta.url).pathname

/** Ports of a run: those that clients use are haproxy's. */
export interface ClusterPorts {
  http: number
  mqtt: number
  /** Each node takes the next three. */
  nodes: number
}

export interface BenchNode {
  index: number
  process: ChildProcess
}

/** Nodes behind haproxy, on loopback, with one folder as their shared disk. */
export class BenchCluster {
  readonly #databaseUrl: string
  readonly #ports: ClusterPorts
  readonly #folder: string
  readonly nodes: BenchNode[] = []
  #proxy: ChildProcess | null = null

  constructor(databaseUrl: string, ports: ClusterPorts, folder: string) {
    this.#databaseUrl = databaseUrl
    this.#ports = ports
    this.#folder = folder
  }

  static async open(databaseUrl: string, ports: ClusterPorts, count: number): Promise<BenchCluster> {
    const cluster = new BenchCluster(databaseUrl, ports, await mkdtemp(join(tmpdir(), 'isotherm-cluster-')))
    try {
      // The first one makes the secrets of the installation.
      for (let index = 0; index < count; index++) cluster.nodes.push(await cluster.#start(index))
      await cluster.#startProxy(count)
      return cluster
    } catch (error) {
      await cluster.stop()
      throw error
    }
  }

  /** Starts a node again that has ended. */
  async restart(index: number): Promise<void> {
    this.nodes[index] = await this.#start(index)
  }

  node(index: number): ChildProcess {
    const node = this.nodes[index]
    if (!node) throw new Error(`there is no node ${index}`)
    return node.process
  }

  async stop(): Promise<void> {
    for (const { process: child } of this.nodes) child.kill('SIGCONT')
    await Promise.all(this.nodes.map(({ process: child }) => ended(child, 'SIGTERM')))
    if (this.#proxy) await ended(this.#proxy, 'SIGKILL')
    await rm(this.#folder, { recursive: true, force: true })
  }

  #portOf(index: number, place: number) {
    return this.#ports.nodes + index * 3 + place
  }

  async #start(index: number): Promise<BenchNode> {
    const child = spawn(process.execPath, [...heapFlags(), main, 'start'], {
      env: {
        ...process.env,
        ...{ NODE_ENV: 'production', DATABASE_URL: this.#databaseUrl, DATA_DIR: this.#folder, HOST: '127.0.0.1' },
        ...{ PORT: String(this.#portOf(index, 0)), MQTT_PORT: String(this.#portOf(index, 1)), METRICS_PORT: 'off' },
        ...{ NODE_LISTEN: `127.0.0.1:${this.#portOf(index, 2)}`, NODE_NAME: `node-${index}`, TRUST_PROXY: '1' },
        ...{ NODE_SECRET: 'the secret of the bench, thirty-two and more', LOG_LEVEL: process.env.LOG_LEVEL ?? 'fatal' },
        // The whole fleet comes from one address, that of haproxy.
        ...{ MQTT_CONNECTIONS: '5000/5000', HTTP_CONNECTIONS: '5000/5000', INGEST_REFUSALS: '1000000' },
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    for (let tries = 0; tries < 2_400; tries++) {
      if (child.exitCode !== null) throw new Error(`node ${index} ended with ${child.exitCode}`)
      const answer = await fetch(`http://127.0.0.1:${this.#portOf(index, 0)}/ready`).catch(() => null)
      if (answer?.ok) return { index, process: child }
      await sleep(50)
    }
    child.kill('SIGKILL')
    throw new Error(`node ${index} did not come up`)
  }

  async #startProxy(count: number): Promise<void> {
    const servers = (place: number, more: string) =>
      Array.from({ length: count }, (_, index) => {
        const check = `check port ${this.#portOf(index, 0)} inter 500ms fall 2 rise 1`
        return `  server node${index} 127.0.0.1:${this.#portOf(index, place)} ${check} ${more}`
      }).join('\n')
    const file = join(this.#folder, 'haproxy.cfg')
    await writeFile(file, configuration(this.#ports, servers))
    const proxy = spawn('haproxy', ['-db', '-q', '-f', file], { stdio: ['ignore', 'inherit', 'inherit'] })
    this.#proxy = proxy
    for (let tries = 0; tries < 400; tries++) {
      if (proxy.exitCode !== null) throw new Error(`haproxy ended with ${proxy.exitCode}`)
      const answer = await fetch(`http://127.0.0.1:${this.#ports.http}/health`).catch(() => null)
      if (answer?.ok) return
      await sleep(50)
    }
    throw new Error('haproxy did not come up')
  }
}

const configuration = (ports: ClusterPorts, servers: (place: number, more: string) => string) => `
global
  maxconn 2000
defaults
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  option redispatch
  retries 3
frontend http
  mode http
  bind 127.0.0.1:${ports.http}
  default_backend http
backend http
  mode http
  balance leastconn
  option forwardfor
  option httpchk GET /ready
  retry-on conn-failure
${servers(0, '')}
frontend mqtt
  mode tcp
  bind 127.0.0.1:${ports.mqtt}
  default_backend mqtt
backend mqtt
  mode tcp
  balance leastconn
  option httpchk GET /ready
${servers(1, 'on-marked-down shutdown-sessions')}
`
