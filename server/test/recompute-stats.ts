import type pg from 'pg'

/*
 * The statistics of a period worked out from the raw rows in one plain pass. Shares no code with the server on purpose.
 */

export interface PlainStats {
  count: number
  coveredMs: number
  longestGapMs: number
  min: { value: number; at: number } | null
  max: { value: number; at: number } | null
  average: number | null
  mktC: number | null
  aboveMs: number
  belowMs: number
  unjudgedMs: number
  excursions: number
  longestMs: number | null
  shortestMs: number | null
}

interface Row {
  at: number
  centi: number
}
interface LimitRow {
  from: number
  lo: number | null
  hi: number | null
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

/** Statistics of one measure of one device; `from` and `to` in ms, both included, `to` not after now. */
export async function plainStats(
  client: pg.ClientBase,
  device: { companyId: number; id: number },
  measure: 'temperature' | 'humidity',
  { from, to }: { from: number; to: number },
): Promise<PlainStats> {
  const key = [device.companyId, device.id]
  const where = 'where company_id = $1 and device_id = $2'
  await client.query('begin; set local role pipeline')
  const raw = await client.query<Row>(
    `select ${ms('measured_at')} as at, ${measure}_centi as centi from readings ${where} and ${measure}_centi is not null
     order by measured_at`,
    key,
  )
  const limits = await client.query<LimitRow>(
    `select ${ms('valid_from')} as from, ${measure}_min_centi as lo, ${measure}_max_centi as hi from device_limits ${where}
     order by valid_from`,
    key,
  )
  const intervals = await client.query<{ from: number; interval_s: number }>(
    `select ${ms('valid_from')} as from, interval_s from device_intervals ${where} order by valid_from`,
    key,
  )
  await client.query('commit')
  const judged = raw.rows.map(({ at, centi }, index) => {
    const limit = limits.rows.filter((row) => row.from <= at).at(-1)
    const holdMs = 3000 * (intervals.rows.filter((row) => row.from <= at).at(-1)?.interval_s ?? 180)
    const next = raw.rows[index + 1]?.at ?? Number.POSITIVE_INFINITY
    const above = limit?.hi != null && centi > limit.hi
    const below = limit?.lo != null && centi < limit.lo
    const start = Math.max(at, from)
    const end = Math.min(at + holdMs, next, to)
    return {
      at,
      centi,
      side: above ? 'above' : below ? 'below' : null,
      isJudged: limit?.hi != null || limit?.lo != null,
      follows: next - at <= holdMs,
      heldMs: Math.max(0, end - start),
      until: Math.min(at + holdMs, next),
    }
  })
  const sum = (rows: typeof judged) => rows.reduce((total, row) => total + row.heldMs, 0)
  const inside = judged.filter(({ at }) => at >= from && at <= to)
  const spoil = judged.reduce(
    (total, { centi, heldMs }) => total + heldMs * Math.exp(-10_000 / (centi / 100 + 273.15)),
    0,
  )
  const coveredMs = sum(judged)
  const lasting = excursionsOf(judged, from, to)
  const values = inside.map(({ centi }) => centi)
  const extreme = (centi: number) => ({ value: centi / 100, at: inside.find((row) => row.centi === centi)?.at ?? 0 })
  const edges = [from, ...inside.map(({ at }) => at), to]
  return {
    count: inside.length,
    coveredMs,
    longestGapMs: Math.max(0, ...edges.slice(1).map((edge, index) => edge - (edges[index] ?? edge))),
    min: values.length > 0 ? extreme(Math.min(...values)) : null,
    max: values.length > 0 ? extreme(Math.max(...values)) : null,
    average: values.length > 0 ? values.reduce((a, b) => a + b, 0) / values.length / 100 : null,
    mktC: coveredMs > 0 ? 10_000 / -Math.log(spoil / coveredMs) - 273.15 : null,
    aboveMs: sum(judged.filter(({ side }) => side === 'above')),
    belowMs: sum(judged.filter(({ side }) => side === 'below')),
    unjudgedMs: sum(judged.filter(({ isJudged }) => !isJudged)),
    excursions: lasting.length,
    longestMs: lasting.length > 0 ? Math.max(...lasting) : null,
    shortestMs: lasting.length > 0 ? Math.min(...lasting) : null,
  }
}

/** How long each excursion that reaches into the period lasts within it. */
function excursionsOf(
  judged: readonly { at: number; side: string | null; follows: boolean; heldMs: number; until: number }[],
  from: number,
  to: number,
): number[] {
  const lengths: number[] = []
  for (let index = 0; index < judged.length; index++) {
    const first = judged[index]
    if (!first?.side) continue
    let lastedMs = first.heldMs
    let last = first
    while (last.follows && judged[index + 1]?.side === first.side) {
      index += 1
      last = judged[index] ?? last
      lastedMs += last.heldMs
    }
    // One that ends as the period begins is not in it; one that begins as it ends is.
    const isIn = first.at <= to && (last.until > from || first.at >= from)
    if (isIn) lengths.push(lastedMs)
  }
  return lengths
}
