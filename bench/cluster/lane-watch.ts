import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

const everyMs = 100

/** Looks at PostgreSQL's locks ten times a second: who holds each lane, and how long one was held by nobody. */
export class LaneWatch {
  readonly #connect: () => Promise<pg.Client>
  #client: pg.Client | null = null
  readonly #heldAt = new Map<number, number>()
  readonly #gaps: number[] = []
  #isOver = false
  #running: Promise<void> = Promise.resolve()

  /** `connect`: PostgreSQL may be restarted meanwhile. */
  constructor(connect: () => Promise<pg.Client>) {
    this.#connect = connect
  }

  start(): void {
    this.#running = this.#run()
  }

  /** How many lanes each node holds now, by the id of the node. */
  async shares(): Promise<Map<string, number>> {
    const shares = new Map<string, number>()
    for (const { name } of await this.#holders()) {
      const id = name.split(' ').at(-1) ?? ''
      shares.set(id, (shares.get(id) ?? 0) + 1)
    }
    return shares
  }

  /** Ends the watch. How long lanes were held by nobody, ms, the longest last; what is below two looks is left out. */
  async stop(): Promise<number[]> {
    this.#isOver = true
    await this.#running
    await this.#client?.end().catch(() => {})
    this.#client = null
    return this.#gaps.sort((a, b) => a - b)
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      // PostgreSQL may be away.
      const held = await this.#holders().catch(() => [])
      const now = performance.now()
      for (const { lane } of held) {
        const before = this.#heldAt.get(lane)
        if (before !== undefined && now - before > 2 * everyMs) this.#gaps.push(now - before)
        this.#heldAt.set(lane, now)
      }
      await sleep(everyMs)
    }
  }

  async #holders(): Promise<{ lane: number; name: string }[]> {
    this.#client ??= await this.#connect()
    const asked = this.#client.query<{ lane: number; name: string }>(
      `select l.objid::int as lane, a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
       where l.locktype = 'advisory' and l.classid = 4920 and l.granted`,
    )
    try {
      return (await asked).rows
    } catch (error) {
      this.#client = null
      throw error
    }
  }
}
