import { setTimeout as sleep } from 'node:timers/promises'
import { keyed } from '../../server/src/platform/messaging/providers/ask.ts'
import { anAlarm } from '../../server/test/alarm-factory.ts'
import { type BenchDevice, makeFleet } from '../pipeline/fleet.ts'
import { ended } from '../pipeline/stage.ts'
import { type Posted, startProvider } from './fake-provider.ts'
import { say, sayOnce } from './say.ts'
import { count, poolOf, type Scene, until } from './scene.ts'

const devices = 30
const firstImei = 600_000
const crossEveryMs = 500
/** So long the provider takes for a message: kills fall into it. */
const takesMs = 300
const killAtMessage = 4
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

/**
 * Devices cross a limit one after the other, and each says so to all nodes at once, while nodes are killed as they hand messages to the provider.
 * Each crossing must open one trigger and make one message, which the provider gets; twice only where a kill came between, and then by the same key.
 */
export async function toldOnce(scene: Scene): Promise<void> {
  const { cluster, http, watch, notes } = scene
  const kills: number[] = []
  let [held, running] = [0, Promise.resolve()]
  const provider = await startProvider(takesMs, () => {
    if (++held % killAtMessage === 0) running = running.then(kill)
  })
  const kill = async () => {
    const index = kills.length % count
    kills.push(performance.now())
    await ended(cluster.node(index), 'SIGKILL')
    await cluster.restart(index)
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
    let messages = await messagesOf(scene, companies)
    while (Date.now() < end && !areSent(messages)) {
      await sleep(500)
      messages = await messagesOf(scene, companies)
    }
    await running
    await until(async () => (await watch.shares()).size === count, 60)
    notes.faults = kills.length
    judge(scene, { fleet, messages, posts: provider.posts, kills })
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
  kills: readonly number[]
}

function judge({ notes, faults }: Scene, { fleet, messages, posts, kills }: Seen) {
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
      if (!kills.some((at) => at >= from - markedWithinMs && at <= to + markedWithinMs))
        faults.push(`the provider got the message of device ${imei} twice, and no node was killed meanwhile`)
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
