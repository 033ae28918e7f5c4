import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { apiBase } from '../../contract/src/call.ts'
import type { BenchDevice } from '../pipeline/fleet.ts'
import { ended, type Stage, settled } from '../pipeline/stage.ts'
import { setScene } from './scene.ts'
import { verify } from './verify.ts'
import { type Messaging, withProvider } from './with-provider.ts'

/*
 * 2,500 alarms fire, of which some wait out an on-delay, some a snooze, and some escalate: 12,000 messages in-app, by mail,
 * SMS and webhook, while the server is killed (SIGKILL) 2 s after each start, and PostgreSQL twice, until every message is
 * settled. The provider is busy at times, takes some without an answer and refuses some numbers. None may be lost, none be
 * taken twice by a provider that knows keys, and the wallets must have spent the segments that were taken, no more.
 *
 *   npm run bench -- deliveries [--devices 2500] [--seconds 400]
 */

const ports = { http: 4180, mqtt: 4181, provider: 4182 }
const args = process.argv.slice(2)
const numberOf = (name: string, standard: number) =>
  args.includes(name) ? Number(args[args.indexOf(name) + 1]) : standard
process.env.LOG_LEVEL ??= 'fatal'
const uptimeMs = 2_000
const databaseKills = new Set([6, 18])

await withProvider('deliveries', ports, { busy: 0.02, silent: 0.02 }, run)

async function run(
  { client, databasePid, startServer, connect }: Stage,
  { provider, providerUrl, outbox, env }: Messaging,
) {
  let server = await startServer(env)
  await settled(ports.http)
  const fleet = await setScene(client, { companies: 10, devices: numberOf('--devices', 2_500), providerUrl })
  const snoozed = await snoozedNames(client)
  const startedAt = Date.now()
  const deadline = startedAt + numberOf('--seconds', 400) * 1000
  let isPosted = false
  // Those whose alarms are snoozed break their limits at once: they are to be told when the snooze ends.
  const isSnoozed = ({ id }: BenchDevice) => snoozed.includes(`A${id}`)
  await postAll(fleet.filter(isSnoozed))
  const posting = postAll(fleet.filter((device) => !isSnoozed(device))).then(() => {
    isPosted = true
  })
  let kills = 0
  let watcher = await connect()
  while (Date.now() < deadline) {
    await sleep(uptimeMs)
    const open = await openEnds(watcher).catch(() => null)
    if (isPosted && open === 0 && Date.now() - startedAt > 75_000) break
    kills++
    if (databaseKills.has(kills)) {
      process.kill(databasePid(), 'SIGKILL')
      await sleep(1_500)
      await watcher.end().catch(() => {})
      watcher = await again(connect)
    }
    await ended(server.process, 'SIGKILL')
    server = await again(() => startServer(env))
  }
  await posting
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  await ended(server.process, 'SIGTERM')
  const verdict = await verify(watcher, provider, outbox, snoozed)
  await watcher.end()
  const known = [...provider.taken.values()].filter(({ times }) => times > 1).length
  console.table({
    seconds,
    'server kills': kills,
    'database kills': databaseKills.size,
    'known again by key': known,
    ...verdict,
  })
  const { wanted, refused: _, 'units settled': __, 'segments taken': ___, ...wrong } = verdict
  if (wanted === 0 || Object.values(wrong).some((count) => count > 0)) {
    console.error('FAILED: a message was lost, sent twice or paid wrongly')
    process.exitCode = 1
  }
  if (known === 0) {
    console.error('FAILED: no kill fell between a provider and its note: the keys were not put to the test')
    process.exitCode = 1
  }
}

async function again<T>(start: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await start()
    } catch (error) {
      console.error(`once more: ${error instanceof Error ? error.message : error}`)
      await sleep(300)
    }
  }
}

/** Every device breaks its limit once; each repeats it until it is acknowledged. */
async function postAll(fleet: readonly BenchDevice[]): Promise<void> {
  const waiting = [...fleet]
  const worker = async () => {
    for (let device = waiting.pop(); device; device = waiting.pop()) {
      const body = JSON.stringify({ at: new Date().toISOString(), temperatureC: 9.5 })
      while (!(await post(device, body))) await sleep(50)
      await sleep(60)
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}

function post({ imei, secret }: BenchDevice, body: string): Promise<boolean> {
  return fetch(`http://127.0.0.1:${ports.http}${apiBase}/ingest/${imei}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(10_000),
  }).then(
    (answer) => answer.ok,
    () => false,
  )
}

async function snoozedNames(client: pg.Client): Promise<string[]> {
  await client.query('begin; set local role pipeline')
  const { rows } = await client.query<{ name: string }>('select name from alarms where snoozed_until is not null')
  await client.query('rollback')
  return rows.map(({ name }) => name)
}

/** Counts what is still to come: messages under way, events nobody took, delays, snoozes and escalations. */
async function openEnds(client: pg.Client): Promise<number> {
  await client.query('begin; set local role pipeline')
  try {
    const { rows } = await client.query<{ n: number }>(`
      select ((select count(*) from deliveries where state in ('held', 'queued', 'sending'))
        + (select count(*) from alarm_events where taken_at is null)
        + (select count(*) from alarm_triggers where opened_at is null or escalate_at is not null)
        + (select count(*) from alarms where snoozed_until is not null))::int as n`)
    return rows[0]?.n ?? 0
  } finally {
    await client.query('rollback')
  }
}
