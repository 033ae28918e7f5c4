import { logIn } from '../road/admin.ts'
import { makeFleet } from '../road/fleet.ts'
import { onTwoCores, openStage } from '../road/stage.ts'
import { fillHistory } from './history.ts'

/*
 * How long the questions behind the screens take with 20 million readings and a company of 10,000 devices, asked one after
 * the other over HTTP by a logged-in Admin: median and 95th percentile of the whole request, on two cores.
 *
 *   npm run bench -- query [--devices 114] [--runs 60]
 */

onTwoCores()

const args = process.argv.slice(2)
const numberOf = (name: string, standard: number) =>
  args.includes(name) ? Number(args[args.indexOf(name) + 1]) : standard
const ports = { http: 15230, mqtt: 15231 }
const dayMs = 86_400_000
const runs = numberOf('--runs', 60)

const stage = await openStage(ports)
try {
  const fleet = await makeFleet(stage.client, 1, 10_000)
  const [first] = fleet
  if (!first) throw new Error('no devices')
  const until = Math.floor(Date.now() / 60_000) * 60_000
  const startedAt = performance.now()
  const rows = await fillHistory(stage.client, stage.databaseUrl, first.companyId, numberOf('--devices', 114), until)
  console.log(`${rows.toLocaleString('en')} readings in ${Math.round((performance.now() - startedAt) / 1000)} s`)
  await stage.startServer()
  const admin = await logIn(stage.databaseUrl, first.companyId, ports.http)
  const history = `/devices/${first.id}/history`
  const period = (days: number) =>
    `from=${new Date(until - days * dayMs).toISOString()}&to=${new Date(until).toISOString()}`
  const questions: [name: string, path: string, budgetMs: number][] = [
    ['chart of a year', `${history}/chart?${period(365)}`, 15],
    ['chart of the last 24 h, raw', `${history}/chart?${period(1)}`, 10],
    ['history of the last 24 h, a page', `${history}?${period(1)}&perPage=200`, 10],
    ['path of the last 24 h', `${history}/map-points?${period(1)}`, 10],
    ['list of 10,000 devices, first page', '/devices?page=1&perPage=25', 30],
    ['list of 10,000 devices, searched', '/devices?page=1&perPage=25&search=860000000000777', 30],
    ['list of 10,000 devices, last page', '/devices?page=400&perPage=25', 30],
    ['summary of 10,000 devices', '/devices/summary', 30],
  ]
  const table = []
  for (const [name, path, budgetMs] of questions) {
    const took: number[] = []
    let bytes = 0
    for (let run = 0; run < runs + 10; run++) {
      const before = performance.now()
      bytes = (await admin.ask(path)).bytes
      if (run >= 10) took.push(performance.now() - before)
    }
    took.sort((a, b) => a - b)
    const median = took[took.length >> 1] ?? 0
    table.push({
      name,
      'median ms': Number(median.toFixed(1)),
      'p95 ms': Number((took[Math.floor(took.length * 0.95)] ?? 0).toFixed(1)),
      'budget ms': budgetMs,
      bytes,
      held: median < budgetMs,
    })
  }
  console.table(table)
  if (table.some(({ held }) => !held)) process.exitCode = 1
} finally {
  await stage.stop()
}
