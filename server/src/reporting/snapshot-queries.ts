import pg from 'pg'
import { connectionOf } from '../platform/db/connection.ts'
import { giveWay } from '../platform/db/give-way.ts'
import type { Row } from './readings.ts'

const batch = 500

// Whole tokens of SQL: a snapshot's name cannot be a parameter.
const token = (text: string) => {
  if (!/^[0-9A-Fa-f-]+$/.test(text)) throw new Error(`${text} is no snapshot`)
  return text
}

/** The readings of a company, as the snapshot has them: role `app`, read only, in a connection of its own. */
export async function openSnapshot(databaseUrl: string, snapshot: string, companyId: number) {
  const client = new pg.Client({ ...connectionOf(databaseUrl), application_name: 'isotherm-report' })
  await client.connect()
  giveWay(client)
  await client.query('begin isolation level repeatable read read only')
  await client.query(`set transaction snapshot '${token(snapshot)}'`)
  await client.query(`set local role app; set local app.company_id = '${Number(companyId)}'`)
  return {
    /** The readings of a device from one instant to another (both included; ms), from the first to the last, some at a time. */
    async *rows(deviceId: number, from: number, until: number): AsyncGenerator<Row[]> {
      await client.query(
        `declare report_readings no scroll cursor for
           select (extract(epoch from measured_at) * 1000)::float8 as at,
             (extract(epoch from received_at) * 1000)::float8 as "receivedAt", temperature_centi as temperature,
             humidity_centi as humidity, battery_pct as battery, light_lux as light, lat_e7 as lat, lon_e7 as lon
           from readings where company_id = $1 and device_id = $2 and measured_at >= $3 and measured_at <= $4
           order by measured_at`,
        [companyId, deviceId, new Date(from), new Date(until)],
      )
      for (;;) {
        const { rows: found } = await client.query<Row>(`fetch ${batch} from report_readings`)
        if (found.length > 0) yield found
        if (found.length < batch) break
      }
      await client.query('close report_readings')
    },
    async close() {
      await client.end()
    },
  }
}
