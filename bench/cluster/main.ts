import { hasHaproxy, noHaproxy } from '../../scripts/run/debian-servers.mjs'
import { hasOpenssl } from '../../server/test/certificate.ts'
import { hasNats, noNats } from '../../server/test/nats-server.ts'
import { noPrograms, programs } from '../../server/test/postgres-pair.ts'
import { faultOfOldVersion } from './old-version.ts'
import { play } from './play.ts'
import { type Scenario, scenarios } from './scenarios.ts'
import { measureThroughput } from './throughput.ts'

/*
 * Three nodes behind haproxy on one PostgreSQL, all on loopback, under load by HTTP and MQTT with late and repeated readings. In each scenario
 * something is done to them (bench/cluster/scenarios.ts): nodes are killed, hang (also within a commit), are cut off, restarted, upgraded, cannot
 * say that they live, PostgreSQL restarts, fails over or is restored to an instant, NATS dies, a clock is wrong, devices fall silent or come all
 * at once, alarms are told to a provider. What was acknowledged must be there once, what conflicts with it must be among the rejected, rollups, excursions
 * and triggers must equal a recomputation, no lane may be held by nobody for long or written by two. At the end a table says what had to hold and what
 * was found. `throughput` compares three nodes with one.
 *
 *   npm run bench -- cluster [--seconds 40] [--only baseline,node-dies,take-over,...,throughput]
 *
 * `nats-dies` and `nats-tls-dies` need nats-server. The fail-overs need Debian's PostgreSQL (PG_BIN names its programs); the one with an asynchronous standby must lose readings: it shows that
 * the comparison would see it. `mixed-versions` needs git and a commit whose migrations are compatible with these (OLD_VERSION);
 * somebody opens pages meanwhile.
 */

const args = process.argv.slice(2)
const optionOf = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined)
const seconds = Number(optionOf('--seconds') ?? 40)
const known = [...Object.keys(scenarios), 'throughput']
const asked = optionOf('--only')?.split(',') ?? known
const base = Number(process.env.BENCH_PORT ?? 15_770)
const ports = { http: base, mqtt: base + 1, nodes: base + 2 }
process.env.LOG_LEVEL ??= 'fatal'
// The database of one node has connections for one.
process.env.BENCH_SETTINGS ??= '{"max_connections": "200"}'

if (!hasHaproxy()) {
  console.error(noHaproxy)
  process.exit(2)
}
const strange = asked.filter((name) => !known.includes(name))
if (strange.length > 0) {
  console.error(`There is no ${strange.join(', ')}. There are: ${known.join(', ')}`)
  process.exit(2)
}
const failures: string[] = []
const table: object[] = []
for (const name of asked) {
  const scenario = scenarios[name]
  const reason = scenario ? await leftOut(scenario) : null
  if (reason) {
    console.log(`${name}: left out. ${reason}`)
    continue
  }
  const { verdict, checks, faults } = scenario
    ? await play(scenario, ports, seconds)
    : { ...(await measureThroughput(ports, seconds)), checks: [] }
  console.log(name, JSON.stringify(verdict))
  for (const { what, expected, found } of checks) table.push({ scenario: name, 'must hold': what, expected, found })
  failures.push(...faults.map((text) => `${name}: ${text}`))
}
if (table.length > 0) console.table(table)
if (failures.length > 0) {
  console.error(`FAILED\n${failures.join('\n')}`)
  process.exitCode = 1
}

async function leftOut({ pair, isOld, nats }: Scenario): Promise<string | null> {
  if (pair && !programs()) return noPrograms
  if (nats && !hasNats) return noNats
  if (nats === 'tls' && !hasOpenssl) return 'openssl is not installed (apt-get install openssl)'
  return isOld ? await faultOfOldVersion() : null
}
