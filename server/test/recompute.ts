import type pg from 'pg'

/*
 * Computes what readings_hourly and excursions must hold, from the raw rows in one plain pass per device and measure.
 * Shares no code with the pipeline on purpose: tests and benchmarks compare the two to the last bit.
 */

type Limits = { from: number; lo: number | null; hi: number | null }
type Value = { at: number; centi: number }

export interface Difference {
  what: string
  expected: unknown
  found: unknown
}

const measures = ['temperature', 'humidity'] as const
const hour = 3_600_000
const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

/** Every difference between the derived tables and the raw rows, of all devices or of one; empty is right. At most 20. */
export async function findDifferences(
  client: pg.ClientBase,
  only?: { companyId: number; id: number },
): Promise<Difference[]> {
  await client.query('begin; set local role pipeline; set local timezone to utc')
  const differences: Difference[] = []
  try {
    const devices = await client.query(
      'select distinct company_id, device_id from device_latest order by company_id, device_id',
    )
    for (const { company_id, device_id } of devices.rows) {
      if (only && (company_id !== only.companyId || device_id !== only.id)) continue
      await compareDevice(client, company_id, device_id, differences)
      if (differences.length >= 20) break
    }
  } finally {
    await client.query('rollback')
  }
  return differences
}

async function compareDevice(client: pg.ClientBase, companyId: number, deviceId: number, differences: Difference[]) {
  const key = [companyId, deviceId]
  const where = 'where company_id = $1 and device_id = $2'
  const raw = await client.query(
    `select ${ms('measured_at')} as at, temperature_centi as temperature, humidity_centi as humidity
     from readings ${where} order by measured_at`,
    key,
  )
  const limits = await client.query(
    `select ${ms('valid_from')} as from, temperature_min_centi, temperature_max_centi, humidity_min_centi,
       humidity_max_centi from device_limits ${where} order by valid_from`,
    key,
  )
  const intervals = await client.query(
    `select ${ms('valid_from')} as from, interval_s from device_intervals ${where} order by valid_from`,
    key,
  )
  const holdAt = (at: number) => 3000 * (intervals.rows.filter((row) => row.from <= at).at(-1)?.interval_s ?? 180)
  const hours = new Map<number, Record<string, number | null>>()
  for (const { at } of raw.rows) {
    const bucket = Math.floor(at / hour) * hour
    const row = hours.get(bucket) ?? emptyHour(bucket)
    row.n = (row.n ?? 0) + 1
    hours.set(bucket, row)
  }
  const excursions: Record<string, unknown>[] = []
  for (const measure of measures) {
    const values = raw.rows.filter((row) => row[measure] !== null).map((row) => ({ at: row.at, centi: row[measure] }))
    fillHours(hours, measure, values, holdAt)
    const history = limits.rows.map((row) => ({
      from: row.from,
      lo: row[`${measure}_min_centi`],
      hi: row[`${measure}_max_centi`],
    }))
    excursions.push(...excursionsOf(measure, values, history, holdAt))
  }
  const foundHours = await client.query(
    `select *, ${ms('bucket')} as bucket from readings_hourly ${where} order by readings_hourly.bucket`,
    key,
  )
  const foundExcursions = await client.query(
    `select measure, side, ${ms('start_at')} as start_at, ${ms('end_at')} as end_at, ended_by, readings, peak_centi,
       ${ms('peak_at')} as peak_at, centi_ms::float8, ${ms('last_at')} as last_at
     from excursions ${where} order by measure desc, excursions.start_at`,
    key,
  )
  const name = `${companyId}:${deviceId}`
  const plainHours = foundHours.rows.map(({ company_id: _c, device_id: _d, ...row }) => numbersOf(row))
  const expectedHours = [...hours.values()].sort((a, b) => Number(a.bucket) - Number(b.bucket))
  compareLists(`hours of ${name}`, expectedHours, plainHours, differences)
  compareLists(`excursions of ${name}`, excursions, foundExcursions.rows, differences)
}

const numbersOf = (row: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(row).map(([key, value]) => [key, value === null ? null : Number(value)]))

function emptyHour(bucket: number): Record<string, number | null> {
  const row: Record<string, number | null> = { bucket, n: 0 }
  for (const measure of measures) {
    for (const name of ['n', 'sum_centi', 'covered_ms', 'gap_ms']) row[`${measure}_${name}`] = 0
    row[`${measure}_min_centi`] = null
    row[`${measure}_max_centi`] = null
  }
  row.temperature_spoil_sum = 0
  return row
}

function fillHours(
  hours: Map<number, Record<string, number | null>>,
  measure: string,
  values: readonly Value[],
  holdAt: (at: number) => number,
) {
  values.forEach(({ at, centi }, index) => {
    const row = hours.get(Math.floor(at / hour) * hour)
    if (!row) throw new Error('a value without its hour')
    const add = (name: string, value: number) => {
      row[`${measure}_${name}`] = Number(row[`${measure}_${name}`]) + value
    }
    add('n', 1)
    add('sum_centi', centi)
    row[`${measure}_min_centi`] = Math.min(row[`${measure}_min_centi`] ?? centi, centi)
    row[`${measure}_max_centi`] = Math.max(row[`${measure}_max_centi`] ?? centi, centi)
    const next = values[index + 1]
    if (!next) return
    const wait = next.at - at
    const held = Math.min(wait, holdAt(at))
    add('covered_ms', held)
    row[`${measure}_gap_ms`] = Math.max(Number(row[`${measure}_gap_ms`]), wait)
    if (measure === 'temperature') add('spoil_sum', held * Math.exp(-10_000 / (centi / 100 + 273.15)))
  })
}

function excursionsOf(
  measure: string,
  values: readonly Value[],
  history: readonly Limits[],
  holdAt: (at: number) => number,
): Record<string, unknown>[] {
  const judged = values.map(({ at, centi }) => {
    const limits = history.filter((row) => row.from <= at).at(-1)
    const over = limits?.hi != null && centi > limits.hi ? centi - limits.hi : 0
    const under = limits?.lo != null && centi < limits.lo ? limits.lo - centi : 0
    return { at, centi, side: over > 0 ? 'above' : under > 0 ? 'below' : null, off: over || under, hold: holdAt(at) }
  })
  const found: Record<string, unknown>[] = []
  let start = 0
  while (start < judged.length) {
    const first = judged[start]
    if (!first?.side) {
      start++
      continue
    }
    let end = start
    const follows = (index: number) => {
      const [a, b] = [judged[index], judged[index + 1]]
      return a && b && b.side === first.side && b.at - a.at <= a.hold
    }
    while (follows(end)) end++
    const members = judged.slice(start, end + 1)
    const last = members.at(-1) ?? first
    const next = judged[end + 1]
    const silent = next ? next.at - last.at > last.hold : false
    const endAt = next ? (silent ? last.at + last.hold : next.at) : null
    let centiMs = 0
    members.forEach((member, index) => {
      const until = members[index + 1]?.at ?? endAt ?? member.at
      centiMs += member.off * (until - member.at)
    })
    const peak = (first.side === 'above' ? Math.max : Math.min)(...members.map((member) => member.centi))
    found.push({
      measure,
      side: first.side,
      start_at: first.at,
      end_at: endAt,
      ended_by: next ? (silent ? 'gap' : next.side ? 'side' : 'inside') : null,
      readings: members.length,
      peak_centi: peak,
      peak_at: members.find((member) => member.centi === peak)?.at,
      centi_ms: centiMs,
      last_at: last.at,
    })
    start = end + 1
  }
  return found
}

function compareLists(what: string, expected: unknown[], found: unknown[], differences: Difference[]) {
  const length = Math.max(expected.length, found.length)
  for (let index = 0; index < length && differences.length < 20; index++) {
    const [a, b] = [canonical(expected[index]), canonical(found[index])]
    if (a !== b) differences.push({ what: `${what} [${index}]`, expected: expected[index], found: found[index] })
  }
}

const canonical = (value: unknown): string =>
  JSON.stringify(value, value && typeof value === 'object' ? Object.keys(value).sort() : undefined) ?? 'nothing'
