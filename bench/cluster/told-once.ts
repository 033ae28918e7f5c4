import { setTimeout as sleep } from 'node:timers/promises'
import { keyed } from '../../server/src/platform/messaging/providers/ask.ts'
import { anAlarm } from '../../server/test/alarm-factory.ts'
import { type BenchDevice, makeFleet } from '../pipeline/fleet.ts'
import { ended } from '../pipeline/stage.ts'
import { type Posted, startProvider } from './fake-provider.ts'
import { say, sayOnce } from './say.ts'
import { count, poolOf, restartAndSettle, type Scene, until } from './scene.ts'

const devices = 50
const firstImei = 600_000
const crossEveryMs = 500
/** So long the provider takes for a message: faults fall into it. */
const takesMs = 300
/** Each fault comes as the next of so many messages is handed over. */
const messagesOfFault = 6
const maxFaults = 6
const hangMs = 15_000
const databaseAwayMs = 3_000
/** A message that was on its way when its node died is sent again after a minute. */
const patienceS = 150
/** So long after its answer a message may not yet be marked as sent. */
const markedWithinMs = 3_000

interface Message {
  address: string
  key: string
  event: string
  state: string
}

/** From when to when a message may be handed over and not be marked as sent (`performance.now()`). */
interface Spell {
  from: number
  to: number
}

/** A fault as messages are handed over, of the node of a number. Resolves with when it was, or null where no message may come twice for it. */
type Fault = (scene: Scene, index: number) => Promise<Spell | null>

/** One of these for each way in which several nodes may fail. */
export const toldOnce = {
  async killed({ cluster }, index) {
    const at = performance.now()
    await ended(cluster.node(index), 'SIGKILL')
    await cluster.restart(index)
    return { from: at, to: at }
  },
  async hung({ cluster }, index) {
    const from = performance.now()
    cluster.node(index).kill('SIGSTOP')
    await sleep(hangMs)
    cluster.node(index).kill('SIGCONT')
    return { from, to: performance.now() }
  },
  async databaseRestarted({ restartDatabase }) {
    const from = performance.now()
    await restartDatabase(() => sleep(databaseAwayMs))
    const to = performance.now()
    await sleep(databaseAwayMs)
    return { from, to }
  },
  async restarted(scene, index) {
    await restartAndSettle(scene, index)
    return null
  },
} satisfies Record<string, Fault>

/**
 * Devices cross a limit one after the other, and each says so to all nodes at once, while something is done to the nodes as they hand messages to
 * the provider. Each crossing must open one trigger and make one message, which the provider gets; twice only where a fault came between, and then
 * by the same key.
 */
export const toldOnceWhile =
  (fault: Fault) =>
  async (scene: Scene): Promise<void> => {
    const { cluster, http, watch, notes } = scene
    const spells: Spell[] = []
    let [held, faults, running] = [0, 0, Promise.resolve()]
    const provider = await startProvider(takesMs, () => {
      if (++held % messagesOfFault === 0 && faults < maxFaults) running = running.then(play)
    })
    const play = async () => {
      if (faults === maxFaults) return
      const spell = await fault(scene, faults++ % count)
      if (spell) spells.push(spell)
    }
    try {
      const fleet = await watchedFleet(scene, provider.url)
      for (const device of fleet) {
        const at = Date.now()
        for (let index = 0; index < count; index++) void sayOnce(device, cluster.httpPort(index), at, 9.5)
        await say(device, http, at, 9.5)
        await sleep(crossEveryMs)
      }
      const companies = [...new Set(fleet.map(({ companyId }) => companyId))]
      const end = Date.now() + patienceS * 1_000
      let messages: Message[] = []
      while (Date.now() < end && !areSent(messages)) {
        await sleep(500)
        // PostgreSQL may be away.
        messages = await messagesOf(scene, companies).catch(() => messages)
      }
      await running
      await until(async () => (await watch.shares()).size === count, 60)
      notes.faults = faults
      judge(scene, { fleet, messages, posts: provider.posts, spells })
      await judgeTriggers(scene, fleet)
    } finally {
      provider.stop()
    }
  }

const areSent = (messages: readonly Message[]) =>
  messages.length >= devices && messages.every(({ state }) => state !== 'queued' && state !== 'sending')

/** Devices, each of a company with one alarm, which tells an address of its own. */
async function watchedFleet(scene: Scene, url: string): Promise<BenchDevice[]> {
  const client = await scene.connect()
  const pool = await poolOf(scene)
  const stage = { pool, clock: { now: () => new Date() } }
  try {
    const fleet = await makeFleet(client, devices, devices, firstImei)
    for (const { companyId, id, imei } of fleet)
      await anAlarm(stage, { companyId }, { deviceIds: [id], recipients: [{ webhook: `${url}/${imei}` }] })
    return fleet
  } finally {
    await pool.end()
    await client.end()
  }
}

/** Reads rows of the pipeline's. */
async function rowsOf<T extends object>({ connect }: Scene, sql: string, values: unknown[]): Promise<T[]> {
  const client = await connect()
  try {
    await client.query('begin; set local role pipeline')
    const { rows } = await client.query<T>(sql, values)
    await client.query('commit')
    return rows
  } finally {
    await client.end()
  }
}

const messagesOf = (scene: Scene, companies: readonly number[]) =>
  rowsOf<Message>(scene, 'select address, key, event, state from deliveries where company_id = any($1)', [companies])

interface Seen {
  fleet: readonly BenchDevice[]
  messages: readonly Message[]
  posts: readonly Posted[]
  spells: readonly Spell[]
}

function judge({ notes, faults }: Scene, { fleet, messages, posts, spells }: Seen) {
  let repeated = 0
  for (const { imei } of fleet) {
    const own = messages.filter(({ address }) => address.endsWith(`/${imei}`))
    const [message] = own
    if (!message || own.length > 1) faults.push(`${own.length} messages were made of device ${imei}`)
    if (!message) continue
    if (message.event !== 'opened' || message.state !== 'accepted')
      faults.push(`the message of device ${imei} is ${message.event}, ${message.state}`)
    const got = posts.filter(({ path }) => path === `/${imei}`)
    if (got.length === 0) faults.push(`the provider never got the message of device ${imei}`)
    if (got.some(({ idempotencyKey }) => idempotencyKey !== keyed(message.key)['idempotency-key']))
      faults.push(`the provider got a message of device ${imei} by another key`)
    for (const { from, to } of got.slice(0, -1)) {
      repeated++
      if (!spells.some((spell) => spell.to >= from - markedWithinMs && spell.from <= to + markedWithinMs))
        faults.push(`the provider got the message of device ${imei} twice, and nothing had failed meanwhile`)
    }
  }
  Object.assign(notes, { 'messages expected': fleet.length, made: messages.length, got: posts.length, repeated })
}

/** Each crossing was said by up to four messages, to different nodes. */
async function judgeTriggers(scene: Scene, fleet: readonly BenchDevice[]) {
  const rows = await rowsOf<{ device: number; company: number; readings: number }>(
    scene,
    `select company_id as company, device_id as device,
       (select count(*)::int from readings r where (r.company_id, r.device_id) = (t.company_id, t.device_id)) as readings
     from alarm_triggers t where company_id = any($1) and opened_at is not null`,
    [[...new Set(fleet.map(({ companyId }) => companyId))]],
  )
  for (const { companyId, id, imei } of fleet) {
    const own = rows.filter(({ company, device }) => company === companyId && device === id)
    if (own.length !== 1) scene.faults.push(`device ${imei} has ${own.length} triggers`)
    else if (own[0]?.readings !== 1) scene.faults.push(`device ${imei} has ${own[0]?.readings} readings`)
  }
}
