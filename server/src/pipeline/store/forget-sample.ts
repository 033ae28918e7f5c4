import type { Client } from '../../platform/db/pool.ts'

const ofDevice = [
  'delete from readings where company_id = $1 and device_id = $2',
  'delete from readings_hourly where company_id = $1 and device_id = $2',
  'delete from device_latest where company_id = $1 and device_id = $2',
  'delete from excursions where company_id = $1 and device_id = $2',
  'delete from alarm_fence_sides where company_id = $1 and device_id = $2',
  'delete from ingest_rejected where company_id = $1 and device_id = $2',
]

/** Deletes what the pipeline wrote of a sample device. As pipeline, before the device goes: policies refuse the rows of any other. */
export async function forgetSample(client: Client, { companyId, id }: { companyId: number; id: number }) {
  await client.query(
    `delete from delivery_triggers x using alarm_triggers t where x.company_id = $1 and t.company_id = $1
       and t.id = x.trigger_id and t.device_id = $2`,
    [companyId, id],
  )
  for (const sql of ofDevice) await client.query(sql, [companyId, id])
}
