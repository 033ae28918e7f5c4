import type { Batch } from '../batch.ts'

const sql = `
insert into place_crossings (company_id, device_id, fence, direction, at, recorded_at, late, names, position)
select c."companyId", c."deviceId", c.fence, c.direction, to_timestamp(c.at / 1000), to_timestamp($2::float8 / 1000), c.late,
  jsonb_build_object('device', d.name, 'fence', c.name), c.position
from jsonb_to_recordset($1::jsonb) as c ("companyId" int4, "deviceId" int4, fence text, direction text, at float8, late bool,
  name text, position jsonb)
join devices d on d.company_id = c."companyId" and d.id = c."deviceId"
order by c.at`

/** Writes the crossings of places that people are to hear of; notify takes them from there. */
export async function writeCrossings({ client, crossings, now }: Batch): Promise<void> {
  if (crossings.length === 0) return
  const rows = crossings.map(({ device, place, direction, at, isLate, position }) => ({
    companyId: device.companyId,
    deviceId: device.id,
    fence: place.fence.key,
    name: place.fence.name,
    direction,
    at,
    late: isLate,
    position,
  }))
  await client.query({ name: 'write_crossings', text: sql, values: [JSON.stringify(rows), now] })
}
