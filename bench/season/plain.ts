import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import type pg from 'pg'

const legs = `left join lateral (select l.* from shipment_legs l where l.company_id = s.company_id and l.shipment_id = s.id and l.rolled_at is null
    order by l.sequence limit 1) f on true
  left join lateral (select l.eta, l.to_zone from shipment_legs l where l.company_id = s.company_id and l.shipment_id = s.id and l.rolled_at is null
    order by l.sequence desc limit 1) z on true`

/** The rows behind the screens put plainly in SQL: by one who sees everything, for one page. */
export const plainQuestions = {
  list: [
    `select s.*, f.mode, f.vessel_name, f.container_no, f.awb, f.etd, f.atd, f.ata, z.*, m.devices, x.found, h.covered, h.latest
     from (select * from shipments where company_id = $1 order by created_at desc, id desc limit 25) s ${legs}
     cross join lateral (select count(*) as devices from shipment_devices m where m.company_id = s.company_id and m.shipment_id = s.id) m
     cross join lateral (select exists (select from shipment_devices m join excursions e on e.company_id = m.company_id and e.device_id = m.device_id
       where m.company_id = s.company_id and m.shipment_id = s.id and e.start_at >= s.started_at) as found) x
     cross join lateral (select sum(r.temperature_covered_ms) as covered, max(r.bucket) as latest from shipment_devices m
       join readings_hourly r on r.company_id = m.company_id and r.device_id = m.device_id and r.bucket >= s.started_at
       where m.company_id = s.company_id and m.shipment_id = s.id) h`,
    'select count(*) from shipments where company_id = $1',
    'select state, count(*) from shipments where company_id = $1 group by state',
  ],
  map: [
    `select s.*, f.mode, f.vessel_name, f.atd, f.ata, z.*, p.*
     from (select * from shipments where company_id = $1 and state = 'ongoing' order by id desc limit 500) s ${legs}
     left join lateral (select l.lat_e7, l.lon_e7, l.position_at, l.temperature_centi from shipment_devices m
       join device_latest l on l.company_id = m.company_id and l.device_id = m.device_id
       where m.company_id = s.company_id and m.shipment_id = s.id order by l.position_at desc limit 1) p on true`,
    `select count(*) from shipments where company_id = $1 and state = 'ongoing'`,
  ],
} as const

/** Milliseconds that the statements of a question take as the company, rows included. */
export async function timePlain(
  client: pg.Client,
  companyId: number,
  name: keyof typeof plainQuestions,
): Promise<number> {
  await client.query(`begin; set local role app; set local app.company_id = '${companyId}'`)
  const started = performance.now()
  for (const text of plainQuestions[name]) await client.query(text, [companyId])
  const ms = performance.now() - started
  await client.query('commit')
  return ms
}

/** Milliseconds that all readings of the devices of a shipment take by plain SQL, rows included. */
export async function timeReadings(client: pg.Client, companyId: number, shipmentId: string): Promise<number> {
  await client.query(`begin; set local role app; set local app.company_id = '${companyId}'`)
  const started = performance.now()
  await client.query(
    `select r.* from shipments s join shipment_devices m on m.company_id = s.company_id and m.shipment_id = s.id
     join readings r on r.company_id = m.company_id and r.device_id = m.device_id and r.measured_at >= s.started_at
     where s.company_id = $1 and s.id = $2 order by r.device_id, r.measured_at`,
    [companyId, shipmentId],
  )
  const ms = performance.now() - started
  await client.query('commit')
  return ms
}

/** Milliseconds of a process of Node that does nothing, with the priority of one that writes a report. */
export async function timeProcess(): Promise<number> {
  const started = performance.now()
  const child = spawn(process.execPath, ['--eval', ''], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  await ended
  return performance.now() - started
}
