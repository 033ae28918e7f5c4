import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { apiBase } from '../../contract/src/call.ts'
import type { AttackFigures, HostileScene } from './told.ts'

// The whole of 127.0.0.0/8 is this machine: what is counted by address is not counted for the good tenant, too.
const from = '127.0.0.2'

/** One way to be a bad neighbour: how many connections it keeps busy, and what each of them does over and over. */
export interface Attack {
  connections: number
  /** `turn` counts the rounds of one connection from 0. */
  round(tools: Tools, connection: number, turn: number): Promise<void>
}

/** The tools of an attack; every answer is counted. */
export class Tools {
  readonly scene: HostileScene
  readonly figures: AttackFigures
  isOver = false
  readonly #agent: Agent

  constructor(scene: HostileScene, connections: number) {
    this.scene = scene
    this.figures = { connections, sent: 0, accepted: 0, refused: {} }
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
  }

  /** Work under way is cut, and nothing begins any more. */
  end(): void {
    this.isOver = true
    this.#agent.destroy()
  }

  count(outcome: number | string): void {
    this.figures.sent++
    if (outcome === 200) this.figures.accepted++
    else this.figures.refused[outcome] = (this.figures.refused[outcome] ?? 0) + 1
  }

  /** The token of one of the tenant's people. */
  token(index: number): string {
    return this.scene.tokens[index % this.scene.tokens.length] ?? ''
  }

  device(index: number) {
    const device = this.scene.devices[index % this.scene.devices.length]
    if (!device) throw new Error('the hostile tenant has no device')
    return device
  }

  /** The payload of the answer where it is JSON and a success, else undefined. */
  ask<T>(
    method: string,
    path: string,
    token: string,
    body?: Buffer | object,
    type = 'application/json',
  ): Promise<T | undefined> {
    return new Promise((resolve) => {
      const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
      const headers = {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(bytes ? { 'content-type': type, 'content-length': bytes.length } : {}),
      }
      const to = { host: '127.0.0.1', port: this.scene.ports.http, localAddress: from, agent: this.#agent }
      let isOver = false
      const end = (outcome: number | string, payload?: T) => {
        if (isOver) return
        isOver = true
        this.count(outcome)
        resolve(payload)
      }
      const asked = request({ ...to, method, path: `${apiBase}${path}`, headers }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk) => chunks.push(chunk))
        answer.on('error', () => end('broken'))
        answer.on('end', () => end(answer.statusCode ?? 0, payloadOf<T>(answer.headers['content-type'], chunks)))
      })
      asked.on('error', () => end('broken'))
      asked.end(bytes)
    })
  }

  /** A bare connection; `port` of the web or of MQTT. */
  dial(port: number): Promise<Socket | null> {
    return new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.1', port, localAddress: from })
      socket.once('connect', () => resolve(socket))
      socket.on('error', () => resolve(null))
    })
  }
}

function payloadOf<T>(type: string | undefined, chunks: Buffer[]): T | undefined {
  if (!type?.startsWith('application/json')) return undefined
  const { payload } = JSON.parse(Buffer.concat(chunks).toString()) as { payload?: T }
  return payload
}
