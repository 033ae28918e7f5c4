import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { switchOn } from '../../server/src/core/events/feed-queries.ts'
import { type EventDraft, noteEvents } from '../../server/src/core/events/note-events.ts'
import { insertReplays } from '../../server/src/features/webhooks/delivery-queries.ts'
import { insertEndpoint } from '../../server/src/features/webhooks/endpoint-queries.ts'
import { messageIdOf } from '../../server/src/features/webhooks/message.ts'
import { firstSecret } from '../../server/src/features/webhooks/secrets.ts'
import { installationSecret } from '../../server/src/platform/config/secret.ts'
import { createPool, type Pool } from '../../server/src/platform/db/pool.ts'
import { inTenant } from '../../server/src/platform/db/transaction.ts'
import { makeCompanies } from '../pipeline/companies.ts'
import { ended, openStage, settled } from '../pipeline/stage.ts'
import { type Kind, kinds, openReceivers, taking } from './receivers.ts'

/*
 * Events of five companies to fifty receivers: good, slow, flapping, dead, hanging, and those that answer 500, 410 or a redirect. First with the
 * server left alone: how late messages come to good receivers while others are dead or hang. Then the server is killed (SIGKILL) 2 s after each
 * start, until all is sent: every event must have come to each receiver that takes messages, with one id, and the log must say the same. At the
 * end everything of one endpoint is sent again, and must be marked. A sixth company has ten receivers that answer well after four seconds, with a
 * hundred messages waiting for each from the start: they must not delay the others either.
 *
 * Each of a company's receivers asks for one or two types of events, as integrators do: a good or flapping one shares each of the four usual types with one
 * or two that never take anything. All ask for the fifth type, one event in forty: a slow receiver takes a second for each message, so it gets few between two kills.
 *
 *   npm run bench -- webhooks [--events 100000] [--calm 500] [--seconds 3600] [--port 15760]
 */

const args = process.argv.slice(2)
const numberOf = (name: string, standard: number) =>
  args.includes(name) ? Number(args[args.indexOf(name) + 1]) : standard
const [wanted, calm, seconds] = [numberOf('--events', 100_000), numberOf('--calm', 500), numberOf('--seconds', 3_600)]
const port = numberOf('--port', 15_760)
const uptimeMs = 2_000
/** One event in so many is of the type that slow receivers ask for. */
const rareEvery = 40
const rare = 'record.ended'
const usual = ['report.ready', 'order.started', 'order.ended', 'order.cancelled'] as const
/** The type that each of the ten receivers of a company asks for besides the rare one, in the order of `kinds`: three good ones, slow, flapping, and five that take nothing. */
const usualOf = [0, 1, 2, null, 3, 0, 1, 2, 3, 0].map((n) => (n === null ? null : usual[n]))
const maxDelayMs = 5_000
process.env.LOG_LEVEL ??= 'fatal'

const dataDir = await mkdtemp(join(tmpdir(), 'isotherm-webhooks-'))
const receivers = await openReceivers(port + 2)
const stage = await openStage({ http: port, mqtt: port + 1 })
const pool = createPool(stage.databaseUrl, 4, () => {})
const env = { DATA_DIR: dataDir, WEBHOOK_ALLOW_PRIVATE: '1' }
interface Endpoint {
  companyId: number
  id: string
  path: string
}

async function run() {
  const [late = 0, ...companies] = await makeCompanies(stage.client, 6)
  const key = await installationSecret(dataDir)
  const endpoints = (await Promise.all(companies.map((companyId) => endpointsOf(companyId, key)))).flat()
  await endpointsOf(late, key, Array(10).fill('late'))
  await write(
    pool,
    late,
    Array.from({ length: 100 }, (_, n) => String(n * rareEvery)),
  )
  let server = await stage.startServer(env)
  await settled(port)
  const notedAt = new Map<string, number>()
  for (let n = 0; n < calm; n += 5) {
    await note(companies, n, 5, notedAt)
    await sleep(100)
  }
  await until(async () => (await missingOf(ofKinds(endpoints, new Set(['good'])))) === 0, 120)
  const latest = await delays(endpoints, notedAt)

  const begunAt = Date.now()
  const before = takenInAll(endpoints)
  const noting = (async () => {
    for (let n = calm; n < wanted; n += 50) await note(companies, n, Math.min(50, wanted - n))
  })()
  let kills = 0
  let isNoted = false
  void noting.then(() => {
    isNoted = true
  })
  while (Date.now() - begunAt < seconds * 1_000) {
    await sleep(uptimeMs)
    if (isNoted) receivers.mend()
    if (isNoted && (await missingOf(ofKinds(endpoints, taking))) === 0) break
    // The schedule is wound forward: who flaps is tried again now, not in five minutes.
    if (isNoted) await makeDue()
    kills++
    await ended(server.process, 'SIGKILL')
    server = await stage.startServer(env)
  }
  await noting
  const took = Math.round((Date.now() - begunAt) / 1_000)
  const came = takenInAll(endpoints) - before
  // A message whose server was killed after sending is sent again once its lease is over: until then the log does not say that it came.
  await until(async () => (await openOfTaking()) === 0, 240)
  const [first] = endpoints
  const replayed = first ? await replayAll(first) : 0
  await until(async () => (await waitingReplays()) === 0, 120)
  await ended(server.process, 'SIGTERM')
  const verdict = {
    ...(await judge(endpoints)),
    replays: replayed,
    'replays not marked or not sent': replayed - (await markedReplays()),
  }
  console.table({
    events: wanted,
    endpoints: endpoints.length,
    seconds: took,
    'server kills': kills,
    'messages taken': came,
    'taken a second': Math.round((came / took) * 10) / 10,
    'taken between two kills': Math.round(came / Math.max(1, kills)),
    ...latest,
    ...verdict,
  })
  const wrong =
    verdict['never came'] +
    verdict['log says otherwise'] +
    verdict['without a message'] +
    verdict['replays not marked or not sent']
  if (wrong > 0 || latest['latest at a good receiver, ms'] > maxDelayMs) {
    console.error('FAILED: an event was lost, the log is wrong, or a dead receiver delayed a good one')
    process.exitCode = 1
  }
}

const takenInAll = (endpoints: readonly Endpoint[]) =>
  endpoints.reduce((sum, { path }) => sum + receivers.takenBy(path).size, 0)

const endpointsOf = (companyId: number, key: Buffer, kindsOf: readonly Kind[] = kinds) =>
  inTenant(pool, companyId, async ({ tx }) => {
    const ctx = { tx, companyId }
    const now = new Date()
    await switchOn(ctx, now)
    const made: Endpoint[] = []
    for (const [index, kind] of kindsOf.entries()) {
      const path = `${kind}-${companyId}-${index}`
      const id = await insertEndpoint(ctx, {
        ...{ url: receivers.urlOf(path), description: kind, events: [rare, usualOf[index] ?? []].flat() },
        sees_private: false,
        ...{ state: 'on', state_since: now, created_at: now, created_by: '1', created_by_name: 'Bench' },
      })
      await firstSecret(ctx, key, id, now)
      made.push({ companyId, id, path })
    }
    return made
  })

/** Writes events, of each company in its turn, as what happens does: in a transaction. */
async function note(companies: readonly number[], from: number, count: number, notedAt?: Map<string, number>) {
  const companyId = companies[Math.floor(from / count) % companies.length] ?? 0
  const keys = Array.from({ length: count }, (_, index) => String(from + index))
  await write(pool, companyId, keys)
  for (const key of keys) notedAt?.set(key, Date.now())
}

const write = (on: Pool, companyId: number, keys: string[]) =>
  inTenant(on, companyId, ({ tx }) =>
    noteEvents(
      tx,
      keys.map((key) => eventOf(companyId, key)),
    ),
  )

function eventOf(companyId: number, key: string): EventDraft {
  const at = new Date()
  const of = { companyId, key, at }
  const startAt = at.toISOString()
  if (Number(key) % rareEvery === 0)
    return {
      ...of,
      type: rare,
      data: { recordId: key, name: `Record ${key}`, endedBy: 'hand', startAt, endAt: startAt },
    }
  const type = usual[Number(key) % usual.length] ?? usual[0]
  if (type === 'report.ready') return { ...of, type, data: { reportId: key, kind: 'device', format: 'pdf' } }
  const times = { startedAt: startAt, endedAt: null, cancelledAt: null }
  return { ...of, type, data: { orderId: key, code: `O-${key}`, state: 'ongoing', ...times } }
}

interface Row {
  company_id: number
  type: string
  message_id: string
  key: string
}
const eventsOf = async (): Promise<Row[]> => {
  await stage.client.query('begin; set local role pipeline')
  const { rows } = await stage.client.query<Row>(
    `select company_id, type, message_id, coalesce(data ->> 'reportId', data ->> 'recordId', data ->> 'orderId') as key from company_events`,
  )
  await stage.client.query('commit')
  return rows
}
/** The events that an endpoint asks for. */
const askedBy = (endpoint: Endpoint, events: readonly Row[]) =>
  events.filter(({ company_id, type }) => company_id === endpoint.companyId && typesOf(endpoint).includes(type))
const typesOf = ({ path }: Endpoint): string[] => [rare, usualOf[Number(path.split('-')[2])] ?? []].flat()
const kindOf = ({ path }: Endpoint) => path.split('-')[0] as Kind

/** How many events each of these endpoints is still to take, in all. */
async function missingOf(endpoints: readonly Endpoint[]): Promise<number> {
  const counts = await asPipelineRole<{ company_id: number; type: string; n: number }>(
    'select company_id, type, count(*)::int as n from company_events group by 1, 2',
  )
  return endpoints.reduce((sum, endpoint) => {
    const asked = counts.filter((row) => row.company_id === endpoint.companyId && typesOf(endpoint).includes(row.type))
    return sum + Math.max(0, asked.reduce((all, { n }) => all + n, 0) - receivers.takenBy(endpoint.path).size)
  }, 0)
}
const ofKinds = (endpoints: readonly Endpoint[], kinds: ReadonlySet<string>) =>
  endpoints.filter((endpoint) => kinds.has(kindOf(endpoint)))

/** How long after their writing events came to receivers that are as they should be. */
async function delays(endpoints: readonly Endpoint[], notedAt: ReadonlyMap<string, number>) {
  const keys = new Map((await eventsOf()).map((row) => [messageIdOf({ message_id: row.message_id }), row.key]))
  const late = endpoints
    .filter((endpoint) => kindOf(endpoint) === 'good')
    .flatMap(({ path }) => receivers.arrivals.get(path) ?? [])
    .flatMap(({ id, at }) => at - (notedAt.get(keys.get(id) ?? '') ?? at))
    .sort((a, b) => a - b)
  return {
    'median at a good receiver, ms': late[Math.floor(late.length / 2)] ?? 0,
    'latest at a good receiver, ms': late.at(-1) ?? Number.POSITIVE_INFINITY,
  }
}

async function asPipelineRole<T extends object>(text: string): Promise<T[]> {
  await stage.client.query('begin; set local role pipeline')
  const { rows } = await stage.client.query<T>(text)
  await stage.client.query('commit')
  return rows
}

const makeDue = () =>
  asPipelineRole(`update webhook_deliveries d set next_at = now() from webhook_endpoints e
    where e.company_id = d.company_id and e.id = d.endpoint_id and e.description in ('flapping', 'good', 'slow')
      and d.state = 'waiting' and d.next_at > now()`)

/** Compares what came with what happened, and with what the log says of it. */
async function judge(endpoints: readonly Endpoint[]) {
  const events = await eventsOf()
  const log = await asPipelineRole<{ company_id: number; endpoint_id: string; state: string; n: number }>(
    `select company_id, endpoint_id, state, count(*)::int as n from webhook_deliveries where not is_replay group by 1, 2, 3`,
  )
  let [missing, wrong, unsent, repeated] = [0, 0, 0, 0]
  for (const endpoint of endpoints) {
    const of = askedBy(endpoint, events)
    const states = log.filter((row) => row.company_id === endpoint.companyId && row.endpoint_id === endpoint.id)
    // An endpoint that was disabled gets no further messages.
    if (kindOf(endpoint) !== 'gone') unsent += of.length - states.reduce((sum, { n }) => sum + n, 0)
    if (!taking.has(kindOf(endpoint))) continue
    const taken = receivers.takenBy(endpoint.path)
    missing += of.filter(({ message_id }) => !taken.has(messageIdOf({ message_id }))).length
    wrong += Math.max(0, of.length - (states.find(({ state }) => state === 'delivered')?.n ?? 0))
    repeated += (receivers.arrivals.get(endpoint.path) ?? []).filter(({ isTaken }) => isTaken).length - taken.size
  }
  return {
    'never came': missing,
    'log says otherwise': wrong,
    'without a message': unsent,
    'came again after a kill': repeated,
  }
}

const replayAll = ({ companyId, id }: Endpoint) =>
  inTenant(pool, companyId, ({ tx }) =>
    insertReplays({ tx, companyId }, id, { which: sql<boolean>`true`, atMost: 500, now: new Date() }),
  ).then((count) => Math.min(count, 500))
const replays = async (where: string) =>
  (
    await asPipelineRole<{ n: number }>(
      `select count(*)::int as n from webhook_deliveries where is_replay and ${where}`,
    )
  )[0]?.n ?? 0
const openOfTaking = async () =>
  (
    await asPipelineRole<{ n: number }>(`select count(*)::int as n from webhook_deliveries d
      join webhook_endpoints e on e.company_id = d.company_id and e.id = d.endpoint_id
      where e.description in ('flapping', 'good', 'slow') and d.next_at is not null`)
  )[0]?.n ?? 0
const waitingReplays = () => replays('next_at is not null')
const markedReplays = () => replays(`state = 'delivered'`)

async function until(is: () => Promise<boolean>, s: number) {
  const end = Date.now() + s * 1_000
  while (Date.now() < end && !(await is())) await sleep(500)
}

try {
  await run()
} finally {
  await pool.end()
  await stage.stop()
  await receivers.close()
  await rm(dataDir, { recursive: true, force: true })
}
