import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPaymentPeer } from '../../simulator/src/payments/peer.ts'
import { type BenchServer, ended, openStage, type Stage } from '../pipeline/stage.ts'
import { Leaps } from './leaps.ts'
import { moveClock, movedClock } from './moved-clock.ts'
import { buyUnits, playTricks, subscribe } from './payers.ts'
import { runJobs } from './run-jobs.ts'
import { type Scene, setScene } from './scene.ts'
import { type Faults, verify } from './verify.ts'

/*
 * Companies subscribe to a plan that their cards pay for month by month, and people buy units, of the pretend bank, while the server is killed (SIGKILL) again and again, events are dropped, doubled, forged, reordered
 * and early, and the bank's answers are lost, late or unreadable. When all has calmed down, what was granted must be what the bank took.
 * Then the negative control: a server that grants on an event's word must fail the same check.
 *
 *   npm run bench -- money [--purchases 10000] [--kills 200] [--companies 100] [--no-control]
 */

const ports = { http: 15240, mqtt: 15241 }
const args = process.argv.slice(2)
const numberOf = (name: string, standard: number) =>
  args.includes(name) ? Number(args[args.indexOf(name) + 1]) : standard
process.env.LOG_LEVEL ??= 'fatal'
const honest = new URL('moved-server.ts', import.meta.url).pathname
const believing = new URL('believing-server.ts', import.meta.url).pathname
const payers = 8
const dayMs = 86_400_000
const leapDays = 2

interface Size {
  purchases: number
  kills: number
}

const real = await run(honest, {
  purchases: numberOf('--purchases', 10_000),
  kills: numberOf('--kills', 200),
})
const { faults, ...figures } = real
console.table({ ...figures, ...faults })
if (countFaults(faults) > 0 || real.granted === 0) fail('money and what was granted for it differ')
if (!args.includes('--no-control')) {
  const control = await run(believing, { purchases: 300, kills: 2 })
  console.log('Negative control, granting on the word of an event:')
  console.table({ charges: control.charges, granted: control.granted, ...control.faults })
  if (control.faults['granted, not charged'] === 0) fail('the harness did not notice what was granted without a charge')
}

function fail(text: string): void {
  console.error(`FAILED: ${text}`)
  process.exitCode = 1
}

function countFaults(faults: Faults): number {
  return Object.values(faults).reduce((sum, count) => sum + count, 0)
}

async function run(server: string, size: Size) {
  const folder = await mkdtemp(join(tmpdir(), 'isotherm-money-'))
  const clock = join(folder, 'clock')
  let ahead = 0
  const moveOn = (ms: number) => {
    ahead += ms
    moveClock(clock, ahead)
  }
  moveOn(0)
  const now = movedClock(clock)
  const stage = await openStage(ports)
  const publicUrl = `http://127.0.0.1:${ports.http}`
  const events = (name: string) => `${publicUrl}/app/api/v1/payment-events/${name}`
  const peer = await openPaymentPeer({
    ...{ now, slowMs: 3_000 },
    paystackEvents: events('paystack'),
    stripeEvents: events('stripe'),
  })
  const env = {
    ...peer.variables,
    BENCH_CLOCK: clock,
    BILLING: 'on',
    BILLING_DAILY_MAX: '100000',
    PUBLIC_URL: publicUrl,
    RATE_LIMIT_MONEY: '1000000/1000000/3600',
  }
  const start = () => again(() => stage.startServer(env, [], server))
  try {
    let running = await start()
    const scene = await setScene(stage.databaseUrl, ports.http, now, numberOf('--companies', 100))
    const startedAt = Date.now()
    for (const buyer of scene.buyers) while (!(await subscribe(buyer, peer))) await sleep(200)
    const tricks = playTricks(peer)
    const jobs = await runJobs(stage.databaseUrl)
    // An hour a minute, so that pages that nobody comes back to close; and months go by in leaps.
    const clockwork = setInterval(() => moveOn(60_000), 1_000)
    const leaps = new Leaps(async () => {
      moveOn(leapDays * dayMs)
      await jobs.nightly(stage, now)
      await scene.renewSessions()
    })
    const buying = buyAll(scene, size.purchases, (buyer) => leaps.betweenThem(() => buyUnits(buyer, peer)))
    let [kills, crashes] = [0, 0]
    while (kills < size.kills) {
      await sleep(300 + Math.random() * 3_000)
      if (hasEnded(running)) crashes++
      await ended(running.process, 'SIGKILL')
      running = await start()
      kills++
      if (kills % 10 === 0) console.log(`${kills} kills`)
    }
    const { begun } = await buying
    clearInterval(clockwork)
    await leaps.stop()
    await tricks.stop()
    await peer.webhooks.settled()
    const seconds = Math.round((Date.now() - startedAt) / 1000)
    moveOn(8 * dayMs)
    await jobs.nightly(stage, now)
    await calmDown(stage, now, () => moveOn(60_000))
    await jobs.stop()
    await ended(running.process, 'SIGTERM')
    const companies = scene.buyers.map(({ companyId }) => companyId)
    const verdict = await verify(stage.client, companies, peer.movements)
    await scene.close()
    return { seconds, kills, crashes, begun, ...verdict }
  } finally {
    await peer.close()
    await stage.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Several people buy at once until so many payments have begun. */
async function buyAll({ buyers }: Scene, count: number, buy: (buyer: Scene['buyers'][number]) => Promise<boolean>) {
  let begun = 0
  const payer = async () => {
    while (begun < count) {
      const buyer = buyers[Math.floor(Math.random() * buyers.length)]
      if (buyer && (await buy(buyer))) begun++
      else await sleep(50)
    }
  }
  await Promise.all(Array.from({ length: payers }, payer))
  return { begun }
}

/** Time goes by in which nobody pays and the network is well: each payment is asked for until it is over. */
async function calmDown({ client }: Stage, now: () => Date, moveOn: () => void): Promise<void> {
  for (let tries = 0; tries < 1_800; tries++) {
    moveOn()
    await client.query('begin; set local role pipeline')
    const { rows } = await client.query(
      `select (select count(*) from payments where check_at is not null)::int
        + (select count(*) from subscriptions where next_action_at <= $1)::int as n`,
      [now()],
    )
    await client.query('commit')
    if (rows[0].n === 0) return
    await sleep(1_000)
  }
}

function hasEnded({ process: child }: BenchServer): boolean {
  return child.exitCode !== null || child.signalCode !== null
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
