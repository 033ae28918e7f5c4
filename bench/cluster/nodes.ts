import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { heapFlags, memoryVariables } from '../../scripts/run/heap-flags.mjs'
import { serverMain } from '../../server/test/server-main.ts'
import { cpuSeconds } from '../pipeline/cpu.ts'
import { ended, peakOf } from '../pipeline/stage.ts'
import { type Proxied, startProxy } from './proxy.ts'

export const nodeSecret = 'the secret of the bench, thirty-two and more'

/** Ports of a run: those that clients use are haproxy's. */
export interface ClusterPorts {
  http: number
  mqtt: number
  /** Each node takes the next three. */
  nodes: number
}

export interface ClusterOptions {
  count: number
  /** More variables of a node. */
  envOf?: (index: number) => Record<string, string>
  /** The server's main.ts of another version. */
  main?: string
}

interface BenchNode {
  index: number
  process: ChildProcess
}

/** HTTP, MQTT and the channel between nodes. */
export const nodePort = (ports: ClusterPorts, index: number, place: 0 | 1 | 2): number =>
  ports.nodes + index * 3 + place

/** Nodes behind haproxy, on loopback, with one folder as their shared disk. */
export class BenchCluster {
  readonly #databaseUrl: string
  readonly #ports: ClusterPorts
  /** The DATA_DIR of all of them. */
  readonly folder: string
  readonly #envOf: (index: number) => Record<string, string>
  readonly nodes: BenchNode[] = []
  /** The file that a node is started from. */
  main: string
  #proxy: ChildProcess | null = null

  constructor(databaseUrl: string, ports: ClusterPorts, folder: string, options: ClusterOptions) {
    this.#databaseUrl = databaseUrl
    this.#ports = ports
    this.folder = folder
    this.#envOf = options.envOf ?? (() => ({}))
    this.main = options.main ?? serverMain
  }

  static async open(databaseUrl: string, ports: ClusterPorts, options: ClusterOptions): Promise<BenchCluster> {
    const { count } = options
    const folder = await mkdtemp(join(process.env.BENCH_DIR ?? tmpdir(), 'isotherm-cluster-'))
    const cluster = new BenchCluster(databaseUrl, ports, folder, options)
    try {
      // The first one makes the secrets of the installation.
      cluster.nodes.push(await cluster.#start(0))
      const others = Array.from({ length: count - 1 }, (_, index) => cluster.#start(index + 1))
      for (const other of await Promise.allSettled(others)) {
        if (other.status === 'fulfilled') cluster.nodes.push(other.value)
        else throw other.reason
      }
      cluster.#proxy = await startProxy(cluster.#proxied(count))
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
    await rm(this.folder, { recursive: true, force: true })
  }

  /** A node's own ports, past haproxy. */
  mqttPort(index: number): number {
    return this.#portOf(index, 1)
  }

  httpPort(index: number): number {
    return this.#portOf(index, 0)
  }

  /** The warnings of a node's `/ready`. */
  async warningsOf(index: number): Promise<string[]> {
    const answer = await fetch(`http://127.0.0.1:${this.#portOf(index, 0)}/ready`)
    return ((await answer.json()) as { warnings?: string[] }).warnings ?? []
  }

  /** Ends haproxy with all connections that it holds, and starts it again later. */
  async proxyAway(ms: number): Promise<void> {
    if (this.#proxy) await ended(this.#proxy, 'SIGKILL')
    await sleep(ms)
    this.#proxy = await startProxy(this.#proxied(this.nodes.length))
  }

  /** The most memory that each node had, MB. */
  peaksMb(): number[] {
    return this.nodes.map(({ process: child }) => Math.round(peakOf(child.pid ?? 0)))
  }

  /** Processor seconds that all nodes have used. */
  cpuSeconds(): number {
    return this.nodes.reduce((sum, { process: child }) => sum + cpuSeconds(child.pid ?? 0), 0)
  }

  #portOf(index: number, place: 0 | 1 | 2) {
    return nodePort(this.#ports, index, place)
  }

  #proxied(count: number): Proxied {
    const all = Array.from({ length: count }, (_, index) => index)
    const addresses = (place: 0 | 1) => all.map((index) => `127.0.0.1:${this.#portOf(index, place)}`)
    return { http: this.#ports.http, mqtt: this.#ports.mqtt, nodes: { http: addresses(0), mqtt: addresses(1) } }
  }

  async #start(index: number): Promise<BenchNode> {
    const child = spawn(process.execPath, [...heapFlags(), this.main, 'start'], {
      env: {
        ...process.env,
        ...memoryVariables(),
        ...{ NODE_ENV: 'production', DATABASE_URL: this.#databaseUrl, DATA_DIR: this.folder, HOST: '127.0.0.1' },
        ...{ PORT: String(this.#portOf(index, 0)), MQTT_PORT: String(this.#portOf(index, 1)), METRICS_PORT: 'off' },
        ...{ NODE_LISTEN: `127.0.0.1:${this.#portOf(index, 2)}`, NODE_NAME: `node-${index}`, TRUST_PROXY: '1' },
        ...{ NODE_SECRET: nodeSecret, LOG_LEVEL: process.env.LOG_LEVEL ?? 'fatal' },
        // A start takes half as long where the one before has compiled everything.
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(this.folder, 'compiled'),
        // The whole fleet comes from one address, that of haproxy.
        ...{ MQTT_CONNECTIONS: '5000/5000', HTTP_CONNECTIONS: '5000/5000', INGEST_REFUSALS: '1000000' },
        ...this.#envOf(index),
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    for (let tries = 0; tries < 6_000; tries++) {
      if (child.exitCode !== null) throw new Error(`node ${index} ended with ${child.exitCode}`)
      const answer = await fetch(`http://127.0.0.1:${this.#portOf(index, 0)}/ready`).catch(() => null)
      if (answer?.ok) return { index, process: child }
      await sleep(50)
    }
    child.kill('SIGKILL')
    throw new Error(`node ${index} did not come up`)
  }
}
