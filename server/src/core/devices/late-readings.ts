import type { Client } from '../../platform/db/pool.ts'

/** Notes devices that got late readings, and from when on. */
export const noteLateSql = `
insert into late_readings as noted (company_id, device_id, since)
select * from unnest($1::int4[], $2::int4[], $3::timestamptz[])
on conflict (company_id, device_id) do update set since = least(noted.since, excluded.since), writes = noted.writes + 1`

/** Forgets the late readings of these devices, but where more came since; what is just being written waits for another time. */
export async function forgetLate(
  client: Client,
  devices: readonly { companyId: number; id: number; lateWrites: number | null }[],
): Promise<void> {
  const settled = devices.filter(({ lateWrites }) => lateWrites !== null)
  if (settled.length === 0) return
  await client.query(
    `delete from late_readings n using (
       select company_id, device_id from late_readings
       where (company_id, device_id, writes) in (select * from unnest($1::int4[], $2::int4[], $3::int4[]))
       for update skip locked) as settled
     where n.company_id = settled.company_id and n.device_id = settled.device_id`,
    [
      settled.map(({ companyId }) => companyId),
      settled.map(({ id }) => id),
      settled.map(({ lateWrites }) => lateWrites),
    ],
  )
}
