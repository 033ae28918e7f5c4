import { setTimeout as sleep } from 'node:timers/promises'
import { type Messaging, withProvider } from '../deliveries/with-provider.ts'
import { logIn } from '../pipeline/admin.ts'
import { poster } from '../pipeline/poster.ts'
import { judgeRatio } from '../pipeline/ratio.ts'
import { ended, onTwoCores, type Stage, settled } from '../pipeline/stage.ts'
import { askedDuring, Probe } from './probe.ts'
import { people, setScene } from './scene.ts'
import { look, verdict } from './verdict.ts'

/*
 * Every device of 10,000 breaks two alarms at once. Meanwhile the app is asked for its health and for pages of devices and
 * triggers, and the wallets and queues are looked at. Each person hears by each channel in a few messages that say how many
 * devices there are, every trigger is told in-app, and wallets that run dry are at zero, never below. Server, PostgreSQL and
 * devices share two cores. The answers are judged by those beside the same readings that break nothing: the ratio is what the
 * alarms cost those who read.
 *
 *   npm run bench -- storm [--devices 10000]
 */

onTwoCores()

const ports = { http: 4196, mqtt: 4197, provider: 4198, metrics: 4199 }
const args = process.argv.slice(2)
const devices = args.includes('--devices') ? Number(args[args.indexOf('--devices') + 1]) : 10_000
const companies = 4
const maxMessages = 7
const baselineMs = 20_000
const bound = { of: 'the p99 beside readings that break nothing', atMost: 4 }
process.env.LOG_LEVEL ??= 'fatal'

await withProvider('storm', ports, { busy: 0, silent: 0 }, run)

async function run({ client, databaseUrl, startServer, connect }: Stage, { provider, providerUrl, env }: Messaging) {
  const server = await startServer({ ...env, METRICS_PORT: String(ports.metrics) })
  await settled(ports.http)
  const fleet = await setScene(client, companies, devices, providerUrl)
  const admin = await logIn(databaseUrl, fleet[0]?.companyId ?? 0, ports.http)
  const post = poster(ports.http, 500)
  await Promise.all(fleet.map((device) => post(device, 5)))
  const watcher = await connect()
  const probes = [
    new Probe('health ms', () => fetch(`http://127.0.0.1:${ports.http}/health`).then((answer) => answer.text())),
    new Probe('device list ms', () => admin.ask('/devices?perPage=50')),
    new Probe('triggers ms', () => admin.ask('/alarm-triggers?perPage=20')),
  ]
  const calm = await askedDuring(probes, () => sleep(3_000))
  const baseline = await askedDuring(probes, async () => {
    const until = performance.now() + baselineMs
    while (performance.now() < until) await Promise.all(fleet.map((device) => post(device, 5)))
  })
  let [maxEvents, maxReadings, leastFree] = [0, 0, Number.POSITIVE_INFINITY]
  const startedAt = performance.now()
  const since = () => Number(((performance.now() - startedAt) / 1000).toFixed(1))
  let storedAfter = 0
  let notifiedAfter = 0
  const lookUntil = async (isOver: (waiting: { events: number; open: number }) => boolean) => {
    for (;;) {
      await sleep(250)
      const { events, open, least } = await look(watcher)
      maxEvents = Math.max(maxEvents, events)
      leastFree = Math.min(leastFree, least)
      maxReadings = Math.max(maxReadings, await waitingReadings())
      if (isOver({ events, open }) || since() > 150) break
    }
  }
  const storm = await askedDuring(probes, async () => {
    const storming = Promise.all(fleet.map((device) => post(device, 12))).then(() => {
      storedAfter = since()
    })
    await lookUntil(({ events }) => storedAfter > 0 && events === 0)
    notifiedAfter = since()
    await storming
  })
  await lookUntil(({ open }) => open === 0)
  const found = await verdict(watcher)
  await watcher.end()
  console.table({
    'breaches stored after s': storedAfter,
    'everything told in-app after s': notifiedAfter,
    'settled after s': since(),
    ...Object.fromEntries(calm.map(({ name, p99 }) => [`${name} p99, calm`, p99])),
    ...Object.fromEntries(baseline.map(({ name, p99 }) => [`${name} p99, beside readings that break nothing`, p99])),
    ...Object.fromEntries(storm.map(({ name, p99 }) => [`${name} p99, storm`, p99])),
    ...Object.fromEntries(storm.map(({ name, most }) => [`${name} most, storm`, most])),
    'most events waiting': maxEvents,
    'most readings waiting': maxReadings,
    'fewest units free': leastFree,
    ...found,
    'server peak MB': Math.round(server.peakMb()),
  })
  await ended(server.process, 'SIGTERM')
  const segments = [...provider.taken.values()].reduce((sum, one) => sum + one.segments, 0)
  const answers = storm.map(({ name, p99 }, index) => judgeRatio(name, p99, baseline[index]?.p99 ?? 0, bound))
  for (const [index, { text }] of answers.entries()) console.log(`${probes[index]?.name}: ${text}`)
  const failures = [
    ...answers.flatMap((answer) => answer.failures),
    ...probes.map((probe) => probe.failures > 0 && `${probe.name}: ${probe.failures} failed`),
    found.triggers !== devices * 2 ? `${found.triggers} triggers of ${devices * 2}` : '',
    found['lines in-app'] !== devices * 2 * people ? `${found['lines in-app']} lines of ${devices * 2 * people}` : '',
    found['not in any message'] > 0 ? `${found['not in any message']} triggers in no mail` : '',
    found['most messages to one, by one channel'] > maxMessages ? 'too many messages to one person' : '',
    leastFree < 0 || found['units reserved'] !== 0 ? 'a wallet went astray' : '',
    found['units settled'] !== segments ? `${found['units settled']} units for ${segments} segments` : '',
    found.unsettled > 0 ? `${found.unsettled} messages not settled` : '',
  ].filter(Boolean)
  if (failures.length === 0) return
  console.error(`FAILED\n${failures.join('\n')}`)
  process.exitCode = 1
}

async function waitingReadings(): Promise<number> {
  const text = await fetch(`http://127.0.0.1:${ports.metrics}/metrics`).then((answer) => answer.text())
  return Number(/^pipeline_readings_waiting (\d+)/m.exec(text)?.[1] ?? 0)
}
