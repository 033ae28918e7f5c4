import type { Alert } from '../../core/alerts/alert-texts.ts'
import type { Trend } from '../../core/alerts/trend-picture.ts'
import { isShownText } from '../../core/visibility/visibility.ts'
import type { Pool } from '../../platform/db/pool.ts'
import { asPipeline } from '../../platform/db/transaction.ts'

const trendMs = 2 * 3_600_000
/** One every second. */
const maxPoints = 7_200

const columns: Record<string, string> = {
  temperature: 'r.temperature_centi',
  humidity: 'r.humidity_centi',
  battery: 'r.battery_pct * 100',
}

interface Point {
  at: number
  value: number
}

/** The values of the last two hours of an alert about a measure; null where there are too few to be drawn. */
export async function readTrend(
  pool: Pool,
  { companyId, deviceId }: { companyId: number; deviceId: number },
  { condition, limit }: Pick<Alert, 'condition' | 'limit'>,
  now: Date,
): Promise<Trend | null> {
  const column = columns[condition.replace(/M(in|ax)$/, '')]
  if (!column) return null
  const points = await asPipeline(pool, async ({ client }) => {
    const text = `select (extract(epoch from r.measured_at) * 1000)::float8 as at, ${column} / 100.0::float8 as value
      from readings r join devices d on d.company_id = r.company_id and d.id = r.device_id
      where r.company_id = $1 and r.device_id = $2 and r.measured_at > $3::timestamptz and r.measured_at <= $4::timestamptz
        and ${column} is not null and ${isShownText('d', 'r.measured_at')} order by r.measured_at limit ${maxPoints}`
    return (await client.query<Point>(text, [companyId, deviceId, new Date(now.getTime() - trendMs), now])).rows
  })
  return points.length > 1 ? { points, limit, side: condition.endsWith('Max') ? 'above' : 'below' } : null
}
