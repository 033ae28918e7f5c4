import type { Pool } from '../../platform/db/pool.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import { presentDevices, type Tracker } from './device.ts'

/** Notes that a tracker was told the commands of its devices: a command that reached it can only be revoked by another. */
export async function markSent(pool: Pool, tracker: Tracker, now: number): Promise<void> {
  const devices = presentDevices(tracker, now).filter(({ commands }) => commands.length > 0)
  if (devices.length === 0) return
  await asPipeline(pool, ({ client }) =>
    client.query(
      `update device_commands c set sent_at = to_timestamp($3::float8 / 1000)
       from unnest($1::int4[], $2::int4[]) as sent (company_id, device_id)
       where (c.company_id, c.device_id) = (sent.company_id, sent.device_id)
         and c.sent_at is null and c.acked_at is null and c.superseded_at is null`,
      [devices.map(({ companyId }) => companyId), devices.map(({ id }) => id), now],
    ),
  )
}
