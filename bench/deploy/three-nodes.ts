import type { ChildProcess } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProxy } from '../cluster/proxy.ts'
import { ended } from '../pipeline/stage.ts'
import { ownFolder } from './dockerfile.ts'
import { readVariables } from './env-files.ts'
import { launch, root } from './programs.ts'

/** Three nodes by the variables of the units, started by deploy/start.sh of `program`, behind haproxy. */
export class ThreeNodes {
  readonly http: number
  readonly mqtt: number
  readonly #folder: string
  readonly #program: string
  readonly nodes: ChildProcess[] = []
  #proxy: ChildProcess | null = null

  constructor(work: string, base: number, program: string) {
    this.http = base
    this.mqtt = base + 1
    this.#folder = join(work, 'nodes')
    this.#program = program
  }

  async start(databaseUrl: string): Promise<void> {
    await ownFolder(join(this.#folder, 'data'))
    await writeFile(join(this.#folder, 'database-url'), databaseUrl)
    await writeFile(join(this.#folder, 'node-secret'), 'the secret of the try, thirty-two and more')
    // The first one migrates, and makes the secrets of the installation.
    for (let index = 0; index < 3; index++) await this.#start(index)
    const all = [0, 1, 2]
    const addresses = (place: number) => all.map((index) => `127.0.0.1:${this.#port(index, place)}`)
    const nodes = { http: addresses(0), mqtt: addresses(1) }
    this.#proxy = await startProxy({ http: this.http, mqtt: this.mqtt, nodes })
  }

  /** Ends them as systemd does: those that are not over in the unit's time are killed, which is a fault. */
  async stop(): Promise<string> {
    const unit = readFileSync(join(root, 'deploy/systemd/isotherm@.service'), 'utf8')
    const patienceMs = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]) * 1_000
    const began = performance.now()
    const late: number[] = []
    await Promise.all(
      this.nodes.map(async (node, index) => {
        const timer = setTimeout(() => {
          late.push(index + 1)
          node.kill('SIGKILL')
        }, patienceMs)
        await ended(node, 'SIGTERM')
        clearTimeout(timer)
      }),
    )
    if (this.#proxy) await ended(this.#proxy, 'SIGKILL')
    if (late.length > 0) throw new Error(`node ${late} did not end within TimeoutStopSec of the unit`)
    return `all at once by SIGTERM, over after ${((performance.now() - began) / 1000).toFixed(1)} s`
  }

  #port(index: number, place: number) {
    return this.http + 2 + index * 3 + place
  }

  async #start(index: number): Promise<void> {
    const env = {
      ...readVariables(join(root, 'deploy/systemd/common.env')),
      ...{ NODE_NAME: `node-${index + 1}`, NODE_LISTEN: `127.0.0.1:${this.#port(index, 2)}`, HOST: '127.0.0.1' },
      ...{ PORT: String(this.#port(index, 0)), MQTT_PORT: String(this.#port(index, 1)), METRICS_PORT: 'off' },
      ...{ DATA_DIR: join(this.#folder, 'data'), LOG_LEVEL: 'warn', HOME: this.#folder },
      ...{ DATABASE_URL_FILE: join(this.#folder, 'database-url'), NODE_SECRET_FILE: join(this.#folder, 'node-secret') },
    }
    const log = join(this.#folder, `node-${index + 1}.log`)
    const start = join(this.#program, 'deploy/start.sh')
    const node = launch(start, ['start'], { cwd: this.#program, env }, openSync(log, 'w'))
    this.nodes[index] = node
    for (let tries = 0; tries < 2_400; tries++) {
      if (node.exitCode !== null) break
      const answer = await fetch(`http://127.0.0.1:${this.#port(index, 0)}/ready`).catch(() => null)
      if (answer?.ok) return
      await sleep(50)
    }
    throw new Error(`node ${index + 1} did not come up: ${readFileSync(log, 'utf8').slice(-800)}`)
  }
}
