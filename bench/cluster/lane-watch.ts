import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

const everyMs = 100
/** A look that PostgreSQL took longer for may see one server's end and the next one's begin: it tells of no two at once. */
const maxLookMs = 3

/** By both locks of a lane a server may write it. */
const lookSql = `
with held as materialized (
  select pid, objid::int as lane, classid::int as lock from pg_locks
  where locktype = 'advisory' and classid in (4919, 4920) and granted
    and database = (select oid from pg_database where datname = current_database())),
connected as materialized (
  select pid, application_name as name, backend_xid is not null as "isWriting" from pg_stat_activity
  where application_name like 'isotherm lane %' and datname = current_database())
select c.pid, split_part(c.name, ' ', 3)::int as lane, split_part(c.name, ' ', 4) as node, c."isWriting",
  coalesce(array_agg(h.lock) filter (where h.lock is not null), '{}') as locks,
  (extract(epoch from clock_timestamp() - statement_timestamp()) * 1000)::float8 as "tookMs"
from connected c left join held h on h.pid = c.pid and h.lane = split_part(c.name, ' ', 3)::int
group by c.pid, c.name, c."isWriting"`

/** A connection of a lane, as PostgreSQL has it. */
interface Connection {
  pid: number
  lane: number
  node: string
  isWriting: boolean
  locks: number[]
  tookMs: number
}

/** The result of a watch. */
export interface Watched {
  /** How long lanes were held by nobody, ms, the longest last; what is below two looks is left out. */
  gaps: number[]
  /** Looks that could have told of two servers that write one lane. */
  looks: number
  /** The servers that held each lane, one after the other. */
  holders: Map<number, string[]>
  /** Lanes that two servers wrote at once, or one without its lock. */
  faults: string[]
}

/** Looks at PostgreSQL's locks ten times a second: who holds and who writes each lane, and how long one was held by nobody. */
export class LaneWatch {
  readonly #connect: () => Promise<pg.Client>
  #client: pg.Client | null = null
  readonly #heldAt = new Map<number, number>()
  readonly #seen: Watched = { gaps: [], looks: 0, holders: new Map(), faults: [] }
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
    for (const { node } of holdersOf(await this.#look())) shares.set(node, (shares.get(node) ?? 0) + 1)
    return shares
  }

  /** How many looks could have told of two servers that write one lane. */
  get looks(): number {
    return this.#seen.looks
  }

  /** Looks once and notes what it sees. */
  async note(): Promise<void> {
    const connections = await this.#look()
    const now = performance.now()
    for (const holder of holdersOf(connections)) this.#noteHolder(holder, now)
    if (connections.some(({ tookMs }) => tookMs > maxLookMs)) return
    this.#seen.looks++
    this.#seen.faults.push(...writtenTwice(connections))
    const bare = connections.filter(isBare)
    if (bare.length === 0) return
    // PostgreSQL tells connections first and locks afterwards: one that ended in between had its lock while it wrote.
    const again = new Set((await this.#look()).filter(isBare).map(({ pid }) => pid))
    for (const { pid, lane, node } of bare)
      if (again.has(pid)) this.#seen.faults.push(`lane ${lane} was written by ${node} without its lock`)
  }

  /** Ends the watch. */
  async stop(): Promise<Watched> {
    this.#isOver = true
    await this.#running
    await this.#client?.end().catch(() => {})
    this.#client = null
    this.#seen.gaps.sort((a, b) => a - b)
    return this.#seen
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      // PostgreSQL may be away.
      await this.note().catch(() => {})
      await sleep(everyMs)
    }
  }

  #noteHolder({ lane, node }: Connection, now: number) {
    const before = this.#heldAt.get(lane)
    if (before !== undefined && now - before > 2 * everyMs) this.#seen.gaps.push(now - before)
    this.#heldAt.set(lane, now)
    const holders = this.#seen.holders.get(lane) ?? []
    if (holders.at(-1) !== node) holders.push(node)
    this.#seen.holders.set(lane, holders)
  }

  async #look(): Promise<Connection[]> {
    this.#client ??= await this.#connect()
    const asked = this.#client.query<Connection>({ name: 'look', text: lookSql })
    try {
      return (await asked).rows
    } catch (error) {
      this.#client = null
      throw error
    }
  }
}

/** The connections with a lane's second lock, which a server takes last. */
const holdersOf = (connections: readonly Connection[]) => connections.filter(({ locks }) => locks.includes(4_920))

const isBare = ({ isWriting, locks }: Connection) => isWriting && locks.length === 0

/** At one instant a lane may be written by one server. */
function writtenTwice(connections: readonly Connection[]): string[] {
  const writing = connections.filter(({ isWriting }) => isWriting)
  return [...Map.groupBy(writing, ({ lane }) => lane)]
    .filter(([, each]) => new Set(each.map(({ node }) => node)).size > 1)
    .map(([lane, each]) => `lane ${lane} was written at once by ${each.map(({ node }) => node).join(' and ')}`)
}
