import type { Chart, DevicePath } from '@isotherm/contract/device-history.ts'
import type pg from 'pg'

/** The period in question: both ends (ISO 8601) belong to it. */
export interface PlainQuestion {
  from: string
  to: string
  /** At most so many points. */
  points: number
}

/** A question put plainly in SQL to the raw rows. */
export interface Plain {
  sql: string
  values: unknown[]
  /** Throws where the rows contradict the answer: two different questions cannot be compared. */
  check(rows: Record<string, unknown>[]): void
}

/** From `answer`, what the server said of the device. */
export type AskPlainly = (answer: unknown, deviceId: number, asked: PlainQuestion) => Plain

const ofPeriod = 'from readings where company_id = 1 and device_id = $1 and measured_at between $2 and $3'

/** The same readings, or the same buckets of them. */
export const plainChart: AskPlainly = (answer, deviceId, { from, to }) => {
  const { bucketS, temperature } = answer as Chart
  const check = (rows: Record<string, unknown>[]) => {
    // A null is a gap.
    const [least, greatest] = [temperature.min, temperature.max].map((values) => values.filter((each) => each !== null))
    if (rows.length !== least?.length)
      throw new Error(`the chart has ${least?.length} points, plain SQL ${rows.length}`)
    for (const [index, { low, high }] of rows.entries())
      if (
        Math.round((least[index] as number) * 100) !== low ||
        Math.round((greatest?.[index] as number) * 100) !== high
      )
        throw new Error(
          `point ${index}: the chart says ${least[index]} to ${greatest?.[index]}, plain SQL ${low} to ${high}`,
        )
  }
  if (bucketS === 0)
    return {
      sql: `select measured_at, temperature_centi as low, temperature_centi as high, humidity_centi, light_lux, battery_pct
        ${ofPeriod} order by measured_at`,
      values: [deviceId, from, to],
      check,
    }
  return {
    sql: `select date_bin($4::int * interval '1 second', measured_at, 'epoch') as at, count(*) as n, min(temperature_centi) as low,
        avg(temperature_centi)::float8 as temperature, max(temperature_centi) as high, min(humidity_centi) as humidity_low,
        avg(humidity_centi)::float8 as humidity, max(humidity_centi) as humidity_high
      ${ofPeriod} group by 1 order by 1`,
    values: [deviceId, from, to, bucketS],
    check,
  }
}

/** The fixes of the period; of very many the first in each of as many equal parts of it as the server looks at. */
export const plainPath: AskPlainly = (answer, deviceId, { from, to, points }) => {
  const { segments, leftOut } = answer as DevicePath
  const shown = segments.flat()
  const columns =
    '(extract(epoch from measured_at) * 1000)::float8 as at, lat_e7, lon_e7, temperature_centi, humidity_centi'
  const parts = Math.max(1_500, points * 4)
  const isThinned = shown.length + leftOut > Math.max(5_000, parts)
  const partMs = Math.ceil((Date.parse(to) - Date.parse(from) + 1) / parts)
  const part = `floor(extract(epoch from measured_at - $2) * 1000 / $4)`
  return {
    sql: isThinned
      ? `select distinct on (${part}) ${columns} ${ofPeriod} and lat_e7 is not null order by ${part}, measured_at`
      : `select ${columns} ${ofPeriod} and lat_e7 is not null order by measured_at`,
    values: [deviceId, from, to, ...(isThinned ? [partMs] : [])],
    check(rows) {
      if (shown.length < 2) throw new Error('there is no path')
      const known = new Set(rows.map(({ at }) => Math.floor(at as number)))
      const strange = shown.find(({ at }) => !known.has(Date.parse(at)))
      if (strange) throw new Error(`the path has a fix at ${strange.at}, plain SQL has none`)
    },
  }
}

/** Asks, as the role that sees every company; ms until the rows are there and written as JSON. */
export async function timePlainly(client: pg.Client, { sql, values, check }: Plain): Promise<number> {
  await client.query('begin; set local role pipeline')
  const start = performance.now()
  const { rows } = await client.query(sql, values)
  JSON.stringify(rows)
  const ms = performance.now() - start
  await client.query('commit')
  check(rows)
  return ms
}
