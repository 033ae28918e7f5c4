import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { fleet } from './fleet.ts'
import { loadHistory } from './history.ts'
import { runLive } from './live.ts'

const usage = `The virtual fleet, talking to a running server as real trackers do.

  node simulator/src/main.ts --secrets FILE.json [--url http://localhost:8080] [--mqtt mqtt://localhost:1883]
                             [--seed demo] [--days 30] [--live] [--memory FILE.json]
  node simulator/src/main.ts --inventory [--seed demo]

  --secrets    JSON object: device secret by IMEI. Trackers that are not in it stay at home.
  --days       days of history to load before anything else; 0 = none
  --live       go on in real time until interrupted
  --memory     where the trackers keep settings and progress over a restart
  --inventory  print "imei,type" as CSV for \`npm run provider -- devices import\`
`

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://localhost:8080' },
    mqtt: { type: 'string', default: 'mqtt://localhost:1883' },
    seed: { type: 'string', default: 'demo' },
    days: { type: 'string', default: '0' },
    secrets: { type: 'string' },
    memory: { type: 'string' },
    live: { type: 'boolean', default: false },
    inventory: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.inventory) {
  console.log('imei,type')
  for (const spec of fleet(values.seed)) console.log(`${spec.imei},${spec.type}`)
} else if (values.help || !values.secrets) {
  console.log(usage)
  process.exitCode = values.help ? 0 : 2
} else {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort())
  await run(values.secrets, stop.signal).catch((error: unknown) => {
    // Interrupted while it loads history.
    if (!stop.signal.aborted) throw error
  })
}

async function run(secretsFile: string, signal: AbortSignal): Promise<void> {
  const secrets = JSON.parse(readFileSync(secretsFile, 'utf8')) as Record<string, string>
  const trackers = fleet(values.seed).filter((spec) => secrets[spec.imei] !== undefined)
  const days = Number(values.days)
  if (!(days >= 0)) throw new Error('--days is a number of days')
  const secretOf = (imei: string) => secrets[imei]
  const to = new Date()
  if (days > 0) {
    const from = new Date(to.getTime() - days * 86_400_000)
    const began = performance.now()
    let shown = 0
    const done = await loadHistory({
      baseUrl: values.url,
      secretOf,
      from,
      to,
      fleet: trackers,
      signal,
      onProgress: ({ share, readings }) => {
        if (share < shown + 0.1) return
        shown = share
        console.log(`${Math.round(share * 100)} % of ${days} days, ${readings} readings`)
      },
    })
    const seconds = (performance.now() - began) / 1000
    console.log(
      `history: ${done.accepted} accepted, ${done.duplicates} duplicates, ${done.rejected} rejected in ${seconds.toFixed(1)} s`,
    )
  }
  if (values.live) {
    console.log(`${trackers.length} trackers go live`)
    await runLive({
      baseUrl: values.url,
      mqttUrl: values.mqtt,
      secretOf,
      fleet: trackers,
      signal,
      log: console.log,
      ...(days > 0 ? { since: to } : {}),
      ...(values.memory ? { memoryFile: values.memory } : {}),
    })
  }
}
