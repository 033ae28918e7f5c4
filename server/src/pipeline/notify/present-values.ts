import { isShownText } from '../../core/visibility/visibility.ts'
import type { Pool } from '../../platform/db/pool.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import { type Message, unitsOf } from './messages.ts'

const latestSql = `
select l.device_id as "deviceId", l.temperature_centi as temperature, l.humidity_centi as humidity, l.battery_pct * 100 as battery
from device_latest l join devices d on d.company_id = l.company_id and d.id = l.device_id
where l.company_id = $1 and l.device_id = any($2::int4[]) and ${isShownText('d', 'l.measured_at')}`

type Waiting = Pick<Message, 'companyId' | 'channel' | 'payload' | 'locale' | 'units'>
type Latest = { deviceId: number } & Record<string, number | null>

/**
 * A message that waited, with the values of now instead of those of when it was made. One that would cost more by that stays as it was: its units
 * are reserved already.
 */
export async function withPresentValues<M extends Waiting>(
  { pool, publicUrl }: { pool: Pool; publicUrl: string },
  message: M,
): Promise<M> {
  const { companyId, payload, units } = message
  const deviceIds = payload.deviceIds ?? []
  if (!payload.alerts.some(({ latest }) => latest != null)) return message
  const rows = await asPipeline(
    pool,
    async ({ client }) =>
      (await client.query<Latest>(latestSql, [companyId, deviceIds.filter((id) => id !== null)])).rows,
  )
  const alerts = payload.alerts.map((alert, index) => {
    const measure = /^(temperature|humidity|battery)/.exec(alert.condition)?.[1]
    const row = rows.find(({ deviceId }) => deviceId === deviceIds[index])
    const centi = measure === undefined ? undefined : row?.[measure]
    return centi == null ? alert : { ...alert, latest: centi / 100 }
  })
  const fresh = { ...message, payload: { ...payload, alerts } }
  return units > 0 && unitsOf({ ...fresh, weight: 1 }, publicUrl) > unitsOf({ ...message, weight: 1 }, publicUrl)
    ? message
    : fresh
}
