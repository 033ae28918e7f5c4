import { setTimeout as sleep } from 'node:timers/promises'
import type { GroupReport } from '@isotherm/contract/group-reports.ts'
import type { Report, ReportRun } from '@isotherm/contract/reports.ts'
import { judgeRatio } from '../pipeline/ratio.ts'
import { type BenchServer, openStage, type Stage, settled } from '../pipeline/stage.ts'
import { load } from '../query/load.ts'
import { share, watchChild, watchHealth } from './watch.ts'

// Reports of a fleet that measured every 3 minutes, of the last whole month.

const needs = { memoryMb: 300 }
const calmHealth = { of: 'its p99 without a report', atMost: 8 }
const ports = { http: 15_522, mqtt: 15_523 }
const base = `http://127.0.0.1:${ports.http}`
/** The month before this one, whatever day it is. */
const days = 64
const figures = ['stats', 'charts', 'excursions', 'alarms']
const everything = [...figures, 'readings']

/** Returns what was not as it should be. */
export async function reportsOfFleet(devices: number): Promise<string[]> {
  const stage = await openStage(ports)
  try {
    return await measure(stage, devices)
  } finally {
    await stage.stop()
  }
}

async function measure({ client, startServer }: Stage, devices: number): Promise<string[]> {
  const started = performance.now()
  const { token, readings } = await load(client, devices, devices * days * 480, { days, excursions: devices * 200 })
  await client.query(`begin; set local role app; set local app.company_id = '1'`)
  await client.query(`insert into groups (company_id, name, created_at, updated_at) values (1, 'Fleet', now(), now())`)
  await client.query('insert into group_devices select 1, 1, id, now() from devices')
  await client.query('commit')
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(`${(readings / 1e6).toFixed(2)} million readings of ${devices} devices, loaded in ${seconds} s`)
  // A company may keep less than these reports.
  const server = await startServer({ QUOTA_FILE_MB: '900000000/900000000' })
  await settled(ports.http)
  const calm = watchHealth(base)
  await sleep(3000)
  const idle = await calm()
  const ask = askAs(token)
  const rows = []
  for (const [formats, contents] of [
    [['pdf'], figures],
    [['xlsx'], everything],
    [['csv'], everything],
    [['pdf', 'xlsx', 'csv'], everything],
  ] as const)
    rows.push(
      await watched(server, `scheduled: ${formats.join(' ')}`, () => scheduled(ask, [...formats], [...contents])),
    )
  rows.push(await watched(server, 'group: pdf', () => ofGroup(ask)))
  console.table(rows)
  console.log(`/health without a report: p50 ${share(idle, 0.5)} ms, p99 ${share(idle, 0.99)} ms, of ${idle.length}`)
  return rows.flatMap((row) => [
    ...(row['child peak MB'] >= needs.memoryMb ? [`${row.what}: ${row['child peak MB']} MB`] : []),
    ...judgeRatio(`${row.what}: /health`, row['health p99 ms'], share(idle, 0.99), calmHealth).failures,
  ])
}

type Ask = <T>(path: string, body?: object) => Promise<T>

const askAs =
  (token: string): Ask =>
  async <T>(path: string, body?: object) => {
    const ask = () =>
      fetch(`${base}/app/api/v1${path}`, {
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
    let answer = await ask()
    // A machine that others use may be too busy for a moment: a browser asks again, too.
    for (let tries = 0; answer.status === 503 && tries < 20; tries++) {
      await sleep(1000)
      answer = await ask()
    }
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return ((await answer.json()) as { payload: T }).payload
  }

interface Built {
  devices: number | null
  readings: number | null
  files: number
  bytes: number
  steps: number
}

interface Progress {
  state: string
  progress: number
}

/** Asks how far it is until it is ready; also counts the steps of progress that were seen. */
async function whole<T extends Progress>(look: () => Promise<T>): Promise<{ last: T; steps: number }> {
  const seen = new Set<number>()
  for (;;) {
    const last = await look()
    seen.add(last.progress)
    if (last.state === 'ready') return { last, steps: seen.size }
    if (last.state === 'failed') throw new Error(`the report failed: ${JSON.stringify(last)}`)
    await sleep(100)
  }
}

async function scheduled(ask: Ask, formats: string[], contents: string[]): Promise<Built> {
  const body = { name: 'Monthly', cadence: 'monthly', timezone: 'UTC', groupIds: ['1'], formats, contents }
  const { id } = await ask<Report>('/report', body)
  await ask(`/report/${id}/run`, {})
  const { last, steps } = await whole(async () => {
    const { data } = await ask<{ data: ReportRun[] }>(`/report/${id}/runs`)
    if (!data[0]) throw new Error('the run is not there')
    return data[0]
  })
  const bytes = last.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return { devices: last.devices, readings: last.readings, files: last.files.length, bytes, steps }
}

async function ofGroup(ask: Ask): Promise<Built> {
  const now = new Date()
  const [from, to] = [-1, 0].map((months) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months)))
  const order = { groupId: '1', format: 'pdf', from: from?.toISOString(), to: to?.toISOString() }
  const { id } = await ask<GroupReport>('/groups/download-report', order)
  const { last, steps } = await whole(() => ask<GroupReport>(`/group-reports/${id}`))
  return { devices: last.devices, readings: null, files: 1, bytes: last.sizeBytes ?? 0, steps }
}

async function watched(server: BenchServer, what: string, build: () => Promise<Built>) {
  const child = watchChild(server.process.pid ?? 0)
  const health = watchHealth(base)
  const started = performance.now()
  // Said at once: what watches goes on, and would end all of it when the server is gone.
  const built = await build().catch((error: unknown) => {
    console.error(`${what}:`, error)
    throw error
  })
  const { devices, readings, files, bytes, steps } = built
  const tookS = (performance.now() - started) / 1000
  const peakMb = child()
  const answers = await health()
  console.log(`${what}: ${tookS.toFixed(1)} s`)
  return {
    what,
    devices,
    readings,
    files,
    MB: Number((bytes / 1e6).toFixed(2)),
    'built s': Number(tookS.toFixed(1)),
    'progress steps seen': steps,
    'child peak MB': Math.round(peakMb),
    'server peak MB': Math.round(server.peakMb()),
    'health p50 ms': share(answers, 0.5),
    'health p99 ms': share(answers, 0.99),
    'health max ms': Number((answers.at(-1) ?? 0).toFixed(1)),
  }
}
