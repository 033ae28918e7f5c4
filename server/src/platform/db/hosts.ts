import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartRefused } from '../errors/start-refused.ts'
import type { Log } from '../log/log.ts'
import type { DatabaseHost } from './host-list.ts'
import { HostProbe, type HostState } from './host-probe.ts'

/** Hosts that answer later than the first one that takes writes are not waited for. */
const graceMs = 500
/** At the first look, nothing is known that could tell a former primary from its successor: both get the time to answer. */
const firstGraceMs = 2_500
/** A fail-over takes some seconds: whoever connects meanwhile waits for so long. */
const patienceMs = 5_000
const againMs = 200
const watchMs = 1_000

/**
 * The hosts of DATABASE_URL, and which of them takes writes. One of a lower timeline than was ever seen is a former primary and is never used;
 * connections to it are cut as soon as its successor is seen.
 */
export class Hosts {
  readonly all: readonly DatabaseHost[]
  readonly #probes: readonly HostProbe[]
  readonly #sockets = new Map<Socket, DatabaseHost>()
  #system: string | null = null
  #timeline = 0
  #writer: DatabaseHost | null = null
  #finding: Promise<DatabaseHost> | null = null

  constructor(all: readonly DatabaseHost[]) {
    this.all = all
    this.#probes = all.map((host) => new HostProbe(host))
  }

  /** The host that takes writes; it is waited for during a fail-over. Whoever asks meanwhile gets the same answer. */
  find(): Promise<DatabaseHost> {
    this.#finding ??= this.#find().finally(() => {
      this.#finding = null
    })
    return this.#finding
  }

  /** A socket that connects to the host that takes writes, wherever it is told to connect to. */
  socket(): Socket {
    return new HostSocket(this)
  }

  note(socket: Socket, host: DatabaseHost): void {
    this.#sockets.set(socket, host)
    socket.once('close', () => this.#sockets.delete(socket))
  }

  /** Looks every second, so that connections to a host that hangs or was replaced are cut. Returns what ends that. */
  watch(log: Log): () => Promise<void> {
    let isOver = false
    let timer: NodeJS.Timeout | undefined
    const look = async () => {
      const before = this.#writer
      const now = await this.#look({ all: true }).catch(() => null)
      if (now && before && now !== before) log.warn({ from: before.name, to: now.name }, 'the database moved')
      if (!isOver) soon()
    }
    const soon = () => {
      timer = setTimeout(() => void look(), watchMs)
      timer.unref()
    }
    soon()
    return async () => {
      isOver = true
      clearTimeout(timer)
      await Promise.all(this.#probes.map((probe) => probe.close()))
    }
  }

  async #find(): Promise<DatabaseHost> {
    const end = performance.now() + patienceMs
    for (;;) {
      try {
        return await this.#look({ all: false })
      } catch (error) {
        if (error instanceof StrangeHostsError || performance.now() > end) throw error
      }
      await sleep(againMs)
    }
  }

  async #look({ all }: { all: boolean }): Promise<DatabaseHost> {
    const states = await this.#ask(all)
    const writer = this.#writerOf(states)
    if (!writer) throw new StartRefused(`no host of the database takes writes: ${this.#inWords(states)}`)
    const { host, system, timeline } = writer
    this.#system = system
    this.#timeline = timeline
    this.#writer = host
    for (const [socket, other] of this.#sockets)
      if (other !== host) socket.destroy(new Error(`the database moved from ${other.name} to ${host.name}`))
    return host
  }

  /**
   * The answers of the hosts. Those that are late are left out once one takes writes; none is waited for where that one did so at the last look,
   * unless all are wanted: it may have been replaced meanwhile.
   */
  #ask(all: boolean): Promise<HostState[]> {
    return new Promise((resolve) => {
      const states: HostState[] = []
      let waiting = this.#probes.length
      let timer: NodeJS.Timeout | undefined
      const answer = (state: HostState | null) => {
        if (state) states.push(state)
        waiting--
        const isKnown = !all && state?.takesWrites && state.host === this.#writer && state.timeline === this.#timeline
        if (waiting === 0 || isKnown) {
          clearTimeout(timer)
          resolve(states)
        } else if (state?.takesWrites)
          timer ??= setTimeout(() => resolve(states), this.#timeline === 0 ? firstGraceMs : graceMs)
      }
      for (const probe of this.#probes) probe.look().then(answer, () => answer(null))
    })
  }

  #writerOf(states: readonly HostState[]): HostState | null {
    const systems = new Set(states.map(({ system }) => system))
    if (this.#system === null && systems.size > 1) throw new StrangeHostsError(this.#inWords(states))
    const own = states.filter(({ system }) => this.#system === null || system === this.#system)
    const newest = Math.max(this.#timeline, ...own.map(({ timeline }) => timeline))
    return own.find(({ takesWrites, timeline }) => takesWrites && timeline === newest) ?? null
  }

  #inWords(states: readonly HostState[]): string {
    return this.all
      .map((host) => {
        const state = states.find((each) => each.host === host)
        if (!state) return `${host.name} does not answer`
        if (this.#system !== null && state.system !== this.#system) return `${host.name} is another installation`
        return `${host.name} ${state.takesWrites ? 'takes writes' : 'is a standby'}, timeline ${state.timeline}`
      })
      .join('; ')
  }
}

class StrangeHostsError extends Error {
  constructor(states: string) {
    super(`the hosts of DATABASE_URL are no copies of one another: ${states}`)
  }
}

class HostSocket extends Socket {
  readonly #hosts: Hosts

  constructor(hosts: Hosts) {
    super()
    this.#hosts = hosts
  }

  override connect(): this {
    this.#hosts.find().then(
      (host) => {
        if (this.destroyed) return
        this.#hosts.note(this, host)
        super.connect(host.port, host.host)
      },
      (error: Error) => this.destroy(error),
    )
    return this
  }
}
