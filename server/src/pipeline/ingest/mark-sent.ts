import type { Pool } from '../../platform/db/pool.ts'
import { asRoad } from '../../platform/db/transaction.ts'
import { presentDevices, type Tracker } from './device.ts'

/** Notes that a tracker was told what its devices' owners wish: a wish that reached it can only be revoked by another. */
export async function markSent(pool: Pool, tracker: Tracker, now: number): Promise<void> {
  const devices = presentDevices(tracker, now).filter(({ commands }) => commands.length > 0)
  if (devices.length === 0) return
  await asRoad(pool, ({ client }) =>
    client.query(
      `update device_commands c set sent_at = to_timestamp($3::float8 / 1000)
       from unnest($1::int4[], $2::int4[]) as told (company_id, device_id)
       where (c.company_id, c.device_id) = (told.company_id, told.device_id)
         and c.sent_at is null and c.acked_at is null and c.superseded_at is null`,
      [devices.map(({ companyId }) => companyId), devices.map(({ id }) => id), now],
    ),
  )
}
