import { mkdirSync, openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPool } from '../../server/src/platform/db/pool.ts'
import { token } from '../../server/test/factories.ts'
import { operationsOf } from '../../server/test/fuzz-requests.ts'
import { ended, onTwoCores, openStage, settled } from '../pipeline/stage.ts'
import { bareTest } from './bare-test.ts'
import { breakages, breakWall, tryBreakages } from './breakages.ts'
import { Canaries } from './canaries.ts'
import { openClient } from './client.ts'
import { listenAs, readOutbox, takeWebhooks } from './far-ends.ts'
import { Judge } from './judge.ts'
import { unlimited } from './limits.ts'
import { runParts } from './parts.ts'
import { chunkOf, type Plan, plans, ready } from './requests.ts'
import { readLog } from './server-log.ts'
import { slowAlone } from './slow.ts'
import { Tally } from './tally.ts'
import { type Maker, makeTenants, makeWorld, roles, type World } from './world.ts'

/*
 * Hostile requests from everybody to a real server, with two tenants whose names, hardware and values can be told apart. Half of
 * them are made from the server's own API document, half from a recording of valid traffic with something changed. It fails on any
 * 5xx, on an answer that takes more than 5 s (also when asked alone), on a connection that ends without one, on anything of
 * another tenant or of a private device in an answer, file, mail, SMS, webhook or live stream, on an error in the server's log,
 * on a server that ends, and on one that needs more memory than it may. Ctrl-C ends it early, with a verdict on what was sent.
 *
 *   npm run bench -- hostile [--requests 1000000] [--seed 1] [--port 4240]
 *   npm run bench -- hostile --from 250000 --requests 250000   one part of it: each part has a new server, so that tenants stay of a day's size
 *   npm run bench -- hostile --only INDEX                      one request again
 *   npm run bench -- hostile --broken [--requests 2000]   a short run for each wall of breakages.ts: it must be found to be away
 *   npm run bench -- hostile --break NAME                 one of them
 */

onTwoCores()

const args = process.argv.slice(2)
const option = (name: string, standard: number) =>
  args.includes(`--${name}`) ? Number(args[args.indexOf(`--${name}`) + 1]) : standard
const isBroken = args.includes('--broken')
const broken = args.includes('--break') ? breakages[args[args.indexOf('--break') + 1] ?? ''] : undefined
const requests = option('requests', isBroken || broken ? 2_000 : 1_000_000)
const seed = option('seed', 1)
const only = option('only', -1)
const from = Math.max(option('from', 0), only)
const port = option('port', 4240)
const ports = { http: port, mqtt: port + 1, hooks: port + 2 }

const connections = 48
const chunkSize = 250
/** A scene is worn out by so many requests: what they delete is gone. */
const perWorld = 10_000
const maxMs = 5_000
const maxMb = 1_000

const perPart = 250_000

if (isBroken) process.exit((await tryBreakages(port, requests)) ? 0 : 1)
if (requests > perPart && !args.includes('--from') && only < 0)
  process.exit((await runParts(args, requests, perPart)) ? 0 : 1)

const folder = await mkdtemp(join(tmpdir(), 'isotherm-hostile-'))
const stage = await openStage(ports)
const tally = new Tally()
const canaries = new Canaries()
const client = openClient(ports.http, connections)
const judge = new Judge(client, canaries, tally)
const startedAt = performance.now()
const seconds = () => Math.round((performance.now() - startedAt) / 1000)
const isPerson = (caller: string): caller is (typeof roles)[number] => (roles as readonly string[]).includes(caller)

try {
  await run()
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  client.close()
  await stage.stop()
  if (process.env.BENCH_KEEP) console.log(folder)
  else await rm(folder, { recursive: true, force: true })
}
// A run that broke off has left its listeners open.
process.exit()

async function run() {
  mkdirSync(join(folder, 'data'))
  const logPath = join(folder, 'server.log')
  const dataDir = join(folder, 'data')
  const env = {
    ...unlimited,
    DATA_DIR: dataDir,
    WEBHOOK_ALLOW_PRIVATE: '1',
    PUBLIC_URL: `http://127.0.0.1:${ports.http}`,
  }
  const entry = broken?.withoutCompany && new URL('forgetful-server.ts', import.meta.url).pathname
  const server = await stage.startServer(
    { ...env, WITHOUT_COMPANY: broken?.withoutCompany ?? '' },
    [],
    entry,
    openSync(logPath, 'w'),
  )
  const isRunning = () => server.process.exitCode === null && server.process.signalCode === null
  await settled(ports.http)
  await farFromGuesses()
  const pool = createPool(stage.databaseUrl, 4, () => {})
  const test = await bareTest(pool, dataDir, client)
  const hookUrl = `http://127.0.0.1:${ports.hooks}`
  const maker: Maker = { test, client, canaries, database: await stage.connect(), hookUrl }
  const tenants = await makeTenants(maker)
  const companies = { a: tenants.a.companyId, b: tenants.b.companyId }
  const hooks = await takeWebhooks(ports.hooks, judge.heard)
  const stopReading = readOutbox(join(dataDir, 'outbox'), judge.heard)
  const stops = (['a', 'b'] as const).flatMap((tenant) =>
    roles.map((role) =>
      listenAs(
        ports.http,
        { tenant, isAdmin: role === 'admin' },
        () => token(test, tenants[tenant].listeners[role]),
        judge.heard,
      ),
    ),
  )
  const document = (
    await client.send({ method: 'GET', path: '/app/api/v1/openapi.json', headers: {}, body: undefined })
  ).body
  const all = plans(operationsOf(JSON.parse(document.toString())))
  let worlds = 0
  // A request sent just before may take effect late: an Admin's request that takes the Manager's permissions.
  const nextWorld = async (): Promise<World> => {
    for (let tries = 1; ; tries++) {
      try {
        const made = await makeWorld(maker, ++worlds, companies)
        judge.knows(made)
        return made
      } catch (error) {
        if (tries === 3) throw error
        console.log(`the scene is made again: ${(error as Error).message.slice(0, 200)}`)
      }
    }
  }
  let world = await nextWorld()
  console.log(`the scene stands after ${seconds()} s; seed ${seed}`)
  if (broken) await breakWall(broken, stage.client, client, world)

  let chunk = { number: -1, plans: [] as Plan[] }
  const planAt = (index: number): Plan => {
    const number = Math.floor(index / chunkSize)
    if (chunk.number !== number) chunk = { number, plans: chunkOf(all, seed, number, chunkSize) }
    const plan = chunk.plans[index % chunkSize]
    if (!plan) throw new Error('a chunk is short')
    return plan
  }
  // All wait for a new scene: among 48 connections its calls would take minutes.
  let changing: Promise<void> | undefined
  let next = from
  const last = only >= 0 ? only + 1 : from + requests
  let isStopping = false
  process.once('SIGINT', () => {
    isStopping = true
  })
  const take = (): { index: number; plan: Plan } | undefined => {
    if (isStopping || next >= last || !isRunning()) return undefined
    const index = next++
    const plan = planAt(index)
    if (index > from && index % perWorld === 0)
      changing = nextWorld().then(
        (made) => {
          world = made
        },
        (error: Error) => console.error(`no new scene, the requests go on in the old one: ${error.message}`),
      )
    return { index, plan }
  }
  const work = async () => {
    for (;;) {
      const taken = take()
      if (!taken) return
      const { index, plan } = taken
      await changing
      await one(index, plan)
      if (index > from && index % 5_000 === 0 && isRunning()) progress(index, server.peakMb())
    }
  }
  async function one(index: number, plan: Plan) {
    const sent = ready(plan, world)
    const answer = await judge.exchange(index, sent)
    // Signed out by a request of their own.
    if (answer?.status === 401 && isPerson(sent.caller) && !sent.path.includes('/auth/'))
      sent.side.tokens[sent.caller] = await token(test, sent.side.people[sent.caller])
  }
  await Promise.all(Array.from({ length: only >= 0 ? 1 : connections }, work))
  const again = (index: number) => ready(planAt(index), world)
  await slowAlone({ client, tally, maxMs, again })
  console.log(`${tally.answered} requests in ${seconds()} s`)

  // Mails and events of the last requests.
  await sleep(3_000)
  for (const stop of stops) stop()
  await stopReading()
  const isAlive = isRunning()
  const peakMb = isAlive ? Math.round(server.peakMb()) : 0
  await ended(server.process, 'SIGTERM')
  hooks.closeAllConnections()
  hooks.close()
  await maker.database.end()
  await pool.end()
  await verdict(logPath, isAlive, peakMb)
}

function progress(index: number, peakMb: number) {
  console.log(
    `${index} after ${seconds()} s, peak ${Math.round(peakMb)} MB, ${tally.faults.length} kinds of fault, heard ${JSON.stringify(judge.told)}`,
  )
}

/** No number that a request makes up is an id of anything, and an id of one thing is none of another. */
async function farFromGuesses() {
  const { rows } = await stage.client.query<{ name: string }>(
    `select format('%I.%I', schemaname, sequencename) as name from pg_sequences where schemaname = 'public'`,
  )
  for (const [index, { name }] of rows.entries())
    await stage.client.query('select setval($1, $2)', [name, 50_000_000 + index * 10_000_000])
}

async function verdict(logPath: string, isAlive: boolean, peakMb: number) {
  const { warnings, errors } = await readLog(logPath)
  tally.print()
  console.table(warnings)
  console.log({
    ...judge.told,
    'answers with own canaries': judge.seen.own,
    'with private ones': judge.seen.private,
    peakMb,
    'share of 429': tally.share('429').toFixed(4),
  })
  for (const error of errors.slice(0, 20)) console.error(error)
  const failures = [
    ...tally.faults.map(
      ({ kind, times, index }) => `${times} times ${kind}, first at ${index}: --seed ${seed} --only ${index}`,
    ),
    errors.length > 0 ? `${errors.length} errors in the log` : '',
    isAlive ? '' : 'the server ended',
    peakMb > maxMb ? `${peakMb} MB (allowed ${maxMb})` : '',
    only < 0 && Math.min(judge.seen.own, judge.seen.private) === 0
      ? 'no canary was seen where it belongs: leaks would not be either'
      : '',
    tally.share('429') > 0.05 ? 'more than 5 % were refused by limits' : '',
  ].filter(Boolean)
  if (failures.length === 0) return
  console.error(`FAILED\n${failures.join('\n')}`)
  process.exitCode = 1
}
