import { setTimeout as sleep } from 'node:timers/promises'
import { type DeviceReport, deviceReports, type ReportFormat } from '@isotherm/contract/device-reports.ts'
import { systemClock } from '../../server/src/platform/clock/clock.ts'
import { createPool } from '../../server/src/platform/db/pool.ts'
import { buildUser } from '../../server/test/factories.ts'
import type { TestApp } from '../../server/test/harness.ts'
import { type BenchDevice, makeFleet } from '../pipeline/fleet.ts'
import { judgeRatio } from '../pipeline/ratio.ts'
import { intervalMs, jsonOf, readingOf } from '../pipeline/readings.ts'
import { type BenchServer, openStage, type Stage, settled } from '../pipeline/stage.ts'
import { share, watchChild, watchHealth } from './watch.ts'

// A history report of some 500 pages.

const needs = { pages: 500, memoryMb: 300 }
const calmHealth = { of: 'its p99 without a report', atMost: 8 }
const ports = { http: 15520, mqtt: 15521 }
const perRequest = 500
const base = `http://127.0.0.1:${ports.http}`
const api = `${base}/app/api/v1`

/** Returns what was not as it should be. */
export async function reportOfDevice(days: number): Promise<string[]> {
  const stage = await openStage(ports)
  try {
    return await measure(stage, days)
  } finally {
    await stage.stop()
  }
}

async function measure({ databaseUrl, client, startServer }: Stage, days: number): Promise<string[]> {
  const [device] = await makeFleet(client, 1, 1)
  if (!device) throw new Error('no device was made')
  const server = await startServer()
  await settled(ports.http)
  const to = Math.floor(Date.now() / 1000) * 1000
  const from = to - days * 86_400_000
  await send(device, from, Math.floor((to - from) / intervalMs))
  const pool = createPool(databaseUrl, 2, () => {})
  const { token } = await buildUser({ pool, clock: systemClock } as unknown as TestApp, { company: device })
  await pool.end()
  const period = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  const calm = watchHealth(base)
  await sleep(3000)
  const idle = await calm()
  const rows = []
  for (const format of ['pdf', 'xlsx', 'csv'] as const) rows.push(await one(server, { device, token, period, format }))
  console.table(rows)
  console.log(`/health without a report: p50 ${share(idle, 0.5)} ms, p99 ${share(idle, 0.99)} ms, of ${idle.length}`)
  const pdf = rows[0]
  if (!pdf) throw new Error('nothing was measured')
  return [
    ...((pdf.pages ?? 0) < needs.pages ? [`${pdf.pages} pages, needed ${needs.pages}`] : []),
    ...rows.flatMap((row) => [
      ...(row['child peak MB'] >= needs.memoryMb ? [`${row.format}: ${row['child peak MB']} MB`] : []),
      ...judgeRatio(`${row.format}: /health`, row['health p99 ms'], share(idle, 0.99), calmHealth).failures,
    ]),
  ]
}

interface ReportRequest {
  device: BenchDevice
  token: string
  period: { from: string; to: string }
  format: ReportFormat
}

async function one(server: BenchServer, { device, token, period, format }: ReportRequest) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const ask = async (path: string, init: RequestInit = {}): Promise<DeviceReport> => {
    const answer = await fetch(`${api}${path}`, { headers, ...init })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return ((await answer.json()) as { payload: DeviceReport }).payload
  }
  const watch = watchChild(server.process.pid ?? 0)
  const health = watchHealth(base)
  const started = performance.now()
  const path = deviceReports.request.path.replace(':id', String(device.id))
  const { id } = await ask(path, { method: 'POST', body: JSON.stringify({ ...period, format }) })
  const answeredMs = performance.now() - started
  const seen = new Set<number>()
  let report: DeviceReport
  do {
    await sleep(100)
    report = await ask(`/device-reports/${id}`)
    seen.add(report.progress)
  } while (report.state === 'waiting' || report.state === 'building')
  const tookS = (performance.now() - started) / 1000
  const peakMb = watch()
  const answers = await health()
  if (report.state !== 'ready') throw new Error(`the report is ${report.state}`)
  return {
    format,
    readings: report.readings,
    pages: report.pages,
    'file MB': Number(((report.sizeBytes ?? 0) / 1e6).toFixed(2)),
    'answered ms': Number(answeredMs.toFixed(0)),
    'built s': Number(tookS.toFixed(1)),
    'progress steps seen': seen.size,
    'child peak MB': Math.round(peakMb),
    'server peak MB': Math.round(server.peakMb()),
    'health n': answers.length,
    'health p50 ms': share(answers, 0.5),
    'health p99 ms': share(answers, 0.99),
    'health max ms': Number((answers.at(-1) ?? 0).toFixed(1)),
  }
}

/** Sends a device's readings as it would, some hundreds at once. */
async function send(device: BenchDevice, from: number, count: number): Promise<void> {
  for (let first = 0; first < count; first += perRequest) {
    const readings = Array.from({ length: Math.min(perRequest, count - first) }, (_, n) =>
      jsonOf(readingOf(1, first + n, from)),
    )
    const answer = await fetch(`${api}/ingest/${device.imei}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${device.secret}`, 'content-type': 'application/json' },
      body: `{"readings":[${readings.join(',')}]}`,
    })
    if (!answer.ok) throw new Error(`ingest answered ${answer.status}: ${await answer.text()}`)
  }
}
