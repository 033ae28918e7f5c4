import { createHash } from 'node:crypto'
import { type Judgement, judgementOf } from '@isotherm/contract/device-limits.ts'
import pg from 'pg'
import type { Measure } from '../../../domain/measures.ts'
import { type Rules, ruleAt } from '../../../domain/rules.ts'
import { canonical } from '../../../platform/audit/audit.ts'
import type { ReportContent } from '../content.ts'
import type { WriterOrder } from '../run-writer.ts'

/** A reading; instants in ms, hundredths of a degree or percent, degrees times 1e7. */
export interface Row {
  at: number
  receivedAt: number
  temperature: number | null
  humidity: number | null
  battery: number | null
  light: number | null
  lat: number | null
  lon: number | null
}

export interface Digest {
  readings: number
  /** Hex. */
  dataSha256: string
}

/** What every format is written from. */
export interface About {
  content: ReportContent
  digest: Digest
  /** From the first to the last; some at a time. */
  rows(): AsyncIterable<Row[]>
}

const batch = 500

// Whole tokens of SQL: a snapshot's name cannot be a parameter.
const token = (text: string) => {
  if (!/^[0-9A-Fa-f-]+$/.test(text)) throw new Error(`${text} is no snapshot`)
  return text
}

/** The readings of a report, as its snapshot has them and its company may see them. */
export async function openReadings({ databaseUrl, snapshot, content }: WriterOrder) {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'isotherm-report' })
  await client.connect()
  await client.query('begin isolation level repeatable read read only')
  await client.query(`set transaction snapshot '${token(snapshot)}'`)
  await client.query(`set local role app; set local app.company_id = '${Number(content.companyId)}'`)

  async function* rows(onRows: (sofar: number) => void = () => {}): AsyncGenerator<Row[]> {
    const bounds = [content.companyId, content.deviceId, new Date(content.period.from), new Date(content.until)]
    await client.query(
      `declare told no scroll cursor for
         select (extract(epoch from measured_at) * 1000)::float8 as at,
           (extract(epoch from received_at) * 1000)::float8 as "receivedAt", temperature_centi as temperature,
           humidity_centi as humidity, battery_pct as battery, light_lux as light, lat_e7 as lat, lon_e7 as lon
         from readings where company_id = $1 and device_id = $2 and measured_at >= $3 and measured_at <= $4
         order by measured_at`,
      bounds,
    )
    let sofar = 0
    for (;;) {
      const { rows: found } = await client.query<Row>(`fetch ${batch} from told`)
      if (found.length > 0) yield found
      sofar += found.length
      onRows(sofar)
      if (found.length < batch) break
    }
    await client.query('close told')
  }

  return {
    rows,
    /** SHA-256 over the canonical JSON of what the report says, a line end, and a line for every reading. */
    async digest(): Promise<Digest> {
      const hash = createHash('sha256').update(`${canonical(evidenceOf(content))}\n`)
      let readings = 0
      for await (const found of rows()) {
        hash.update(found.map(lineOf).join(''))
        readings += found.length
      }
      return { readings, dataSha256: hash.digest('hex') }
    },
    async close() {
      await client.end()
    },
  }
}

/** What the report is evidence of: nothing that differs between two issues of the same data, such as who asked for it. */
export function evidenceOf({ deviceId, hardware, period, limits, stats, excursions }: ReportContent) {
  return {
    deviceId,
    hardware,
    period,
    limits,
    stats,
    excursions: excursions.map(({ deviceName: _, ...excursion }) => excursion),
  }
}

const instant = (at: number) => new Date(at).toISOString()
/** Times in ISO 8601, values in the integers they are kept in; nothing where there is none. */
export const lineOf = (row: Row): string =>
  `${[
    instant(row.at),
    instant(row.receivedAt),
    row.temperature,
    row.humidity,
    row.battery,
    row.light,
    row.lat,
    row.lon,
  ].join(',')}\n`

/** A value in hundredths by the limits of its time. */
export function judge(rules: Rules, measure: Measure, value: number | null, at: number): Judgement | null {
  const rule = ruleAt(rules[measure], at)
  return judgementOf(value, rule.min, rule.max)
}
