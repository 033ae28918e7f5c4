import type pg from 'pg'
import { joinHours, type ProbeReading } from '../../server/src/domain/cold-hours.ts'
import { protocolOf } from '../../server/src/domain/cold-protocols.ts'
import { coldTreatmentClock } from '../../server/src/domain/cold-treatment.ts'
import { sweepTreatments } from '../../server/src/features/cold-treatments/jobs.ts'
import { type KeptClock, keptClock } from '../../server/src/features/cold-treatments/keep-clock.ts'
import { createPool } from '../../server/src/platform/db/pool.ts'
import type { Services } from '../../server/src/platform/services.ts'
import type { Season } from './scene.ts'

/** Works out all treatments as the job does, by its own connections; seconds. */
export async function sweep(databaseUrl: string, now: Date): Promise<number> {
  const pool = createPool(databaseUrl, 4, () => {})
  const services = { pool, clock: { now: () => now }, bus: { publish() {} } } as unknown as Services
  const started = performance.now()
  try {
    await sweepTreatments.run(services, {})
  } finally {
    await pool.end()
  }
  return (performance.now() - started) / 1000
}

interface TableClock {
  shipment_id: string
  clock: KeptClock
  from: Date
}

/** The clocks of the table, and how many of them differ from one that is worked out anew from all readings of the shipment. */
export async function compareClocks(client: pg.Client, { companyId }: Season, now: Date) {
  const protocol = protocolOf('us-t107-a')
  if (!protocol) throw new Error('no protocol')
  await client.query(`begin; set local role app; set local app.company_id = '${companyId}'`)
  const { rows } = await client.query<TableClock>(
    `select t.shipment_id, t.clock, s.started_at as from from cold_treatments t join shipments s on s.company_id = t.company_id and s.id = t.shipment_id
     where t.company_id = $1 order by t.shipment_id`,
    [companyId],
  )
  const states = new Map<string, number>()
  const differing: string[] = []
  let readings = 0
  for (const { shipment_id, clock, from } of rows) {
    const measured = await client.query<ProbeReading & { device: number }>({
      name: 'readings of a shipment',
      text: `select r.device_id as device, (extract(epoch from r.measured_at) * 1000)::float8 as at, r.temperature_centi as celsius
        from shipment_devices m join readings r on r.company_id = m.company_id and r.device_id = m.device_id
        where m.company_id = $1 and m.shipment_id = $2 and r.measured_at >= $3 order by length(m.place), m.place`,
      values: [companyId, shipment_id, from],
    })
    readings += measured.rows.length
    const probes = [...Map.groupBy(measured.rows, ({ device }) => device)].map(([id, own]) => ({
      ...{ id, offsetC: 0, joinedAt: null, hours: joinHours([], own) },
    }))
    const until = now.getTime()
    const anew = keptClock(coldTreatmentClock(protocol, probes, { until, verified: [] }), until)
    if (!same(anew, clock)) differing.push(shipment_id)
    const name = `${clock.state}, ${clock.row.days} days`
    states.set(name, (states.get(name) ?? 0) + 1)
  }
  await client.query('commit')
  return { clocks: rows.length, differing, states, readings }
}

/** The table keeps JSON with its keys in an order of its own. */
const same = (a: unknown, b: unknown) => canonical(a) === canonical(b)
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([x], [y]) => x.localeCompare(y)))
      : part,
  )
