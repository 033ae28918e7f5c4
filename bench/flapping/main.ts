import { apiBase } from '../../contract/src/call.ts'
import { ingestByHttp } from '../../server/src/pipeline/ingest/http.ts'
import { deliver } from '../../server/src/pipeline/notify/deliver.ts'
import { dispatch } from '../../server/src/pipeline/notify/dispatch.ts'
import { applyDueSteps } from '../../server/src/pipeline/notify/lifecycle.ts'
import { Pipeline } from '../../server/src/pipeline/pipeline.ts'
import { localBus } from '../../server/src/platform/bus/bus.ts'
import { loadConfig } from '../../server/src/platform/config/config.ts'
import { createPool } from '../../server/src/platform/db/pool.ts'
import { createMetrics } from '../../server/src/platform/http/metrics.ts'
import { createServer } from '../../server/src/platform/http/server.ts'
import { createLog } from '../../server/src/platform/log/log.ts'
import type { Services } from '../../server/src/platform/services.ts'
import { anAlarm } from '../../server/test/alarm-factory.ts'
import { type BenchDevice, makeFleet } from '../pipeline/fleet.ts'
import { openStage } from '../pipeline/stage.ts'

/*
 * How many messages a value that wavers around its limit makes, with and without deadband and delay: a day of readings
 * every 3 minutes that lie about the limit of 8 °C, through the pipeline, the notifier and its senders. One person hears by
 * mail, of what opens and of what is back to normal.
 *
 *   npm run bench -- flapping
 */

const cases = [
  { name: 'neither', deadbandC: 0, delayMinutes: 0 },
  { name: 'deadband 0.2 °C', deadbandC: 0.2, delayMinutes: 0 },
  { name: 'deadband 0.5 °C', deadbandC: 0.5, delayMinutes: 0 },
  { name: 'delay 10 min', deadbandC: 0, delayMinutes: 10 },
  { name: 'deadband 0.5 °C, delay 10 min', deadbandC: 0.5, delayMinutes: 10 },
]
const stepMs = 180_000
const steps = 480
const start = Date.parse('2026-11-20T00:00:00Z')

/** A door opened by day and the sensor's noise, around the limit. The same whenever it is asked. */
function valueAt(step: number): number {
  const hour = ((step * stepMs) / 3_600_000) % 24
  const noise = Math.sin(step * 12.9898) * 43_758.5453
  return 8 + 0.25 * Math.sin((hour / 6) * Math.PI * 2) + 0.3 * (noise - Math.floor(noise) - 0.5)
}

const stage = await openStage({ http: 0, mqtt: 0 })
try {
  await run()
} finally {
  await stage.stop()
}

async function run() {
  let now = start
  const clock = { now: () => new Date(now) }
  const pool = createPool(stage.databaseUrl, 4, () => {})
  const log = createLog('silent')
  const bus = localBus()
  const metrics = createMetrics({ ofProcess: false })
  const window = { maxAgeMonths: 24, maxAheadHours: 24 }
  const pipeline = new Pipeline({ databaseUrl: stage.databaseUrl, pool, bus, clock, log, metrics, window })
  await pipeline.start()
  const services = { config: loadConfig({}), pool, clock, log, bus, metrics, checks: {} } as unknown as Services
  const app = await createServer(services)
  await ingestByHttp(app, pipeline)
  const fleet = await makeFleet(stage.client, 1, cases.length)
  await watch({ pool, clock }, fleet)
  const sender = { send: async () => ({ ok: true, provider: 'bench', providerId: null }) as const }
  const senders = { mail: sender, sms: sender, chat: sender, webhook: sender, push: sender }
  const tools = {
    pool,
    bus,
    log,
    senders,
    now: clock.now,
    nearestTownName: () => null,
    publicUrl: 'https://bench.test',
  }
  for (let step = 0; step < steps; step++) {
    now = start + step * stepMs
    const reading = { at: clock.now().toISOString(), temperatureC: Math.round(valueAt(step) * 100) / 100 }
    for (const { imei, secret } of fleet) {
      const headers = { authorization: `Bearer ${secret}` }
      const sent = await app.inject({ method: 'POST', url: `${apiBase}/ingest/${imei}`, headers, payload: reading })
      if (sent.statusCode !== 200) throw new Error(sent.body)
    }
    await applyDueSteps(pool, clock.now())
    while ((await dispatch(tools)) > 0);
    while ((await deliver(tools)) > 0);
  }
  await report(fleet)
  await app.close()
  await pipeline.stop()
  await pool.end()
}

/** An alarm for each case and its device, told to one person. */
async function watch(on: Parameters<typeof anAlarm>[0], fleet: readonly BenchDevice[]) {
  for (const [index, { name, ...how }] of cases.entries()) {
    const device = fleet[index] as BenchDevice
    const rule = { kind: 'value', temperatureMaxC: 8, ...how }
    const recipients = [{ email: 'duty@bench.test' }]
    await anAlarm(on, device, {
      name,
      rule,
      severity: 'critical',
      notifyNormal: true,
      deviceIds: [device.id],
      recipients,
    })
  }
}

async function report(fleet: readonly BenchDevice[]) {
  const companyId = fleet[0]?.companyId
  await stage.client.query(`begin; set local role app; set local app.company_id = '${companyId}'`)
  const { rows } = await stage.client.query<{ name: string; triggers: number; opened: number; normal: number }>(
    `select a.name, (select count(*)::int from alarm_triggers t where t.company_id = a.company_id and t.alarm_id = a.id and t.opened_at is not null) as triggers,
       count(d.id) filter (where d.event = 'opened')::int as opened, count(d.id) filter (where d.event = 'normal')::int as normal
     from alarms a left join deliveries d on d.company_id = a.company_id and d.alarm_id = a.id and d.state = 'accepted'
     where a.company_id = $1 group by a.company_id, a.id, a.name order by a.id`,
    [companyId],
  )
  await stage.client.query('commit')
  const values = Array.from({ length: steps }, (_, step) => Math.round(valueAt(step) * 100) / 100)
  const crossings = values.filter((value, step) => step > 0 && value > 8 !== (values[step - 1] ?? 8) > 8).length
  console.log(
    `${steps} readings in 24 h within ${Math.min(...values)} to ${Math.max(...values)} °C; the limit of 8 °C crossed ${crossings} times`,
  )
  console.table(
    rows.map(({ name, triggers, opened, normal }) => ({
      alarm: name,
      triggers,
      opened,
      normal,
      messages: opened + normal,
    })),
  )
  const of = (name: string) => rows.find((row) => row.name === name)
  const [bare, banded] = [of('neither'), of('deadband 0.5 °C')]
  if (!bare || !banded || banded.opened >= bare.opened) throw new Error('a deadband spares no messages')
}
