import { fixAccuracySql } from '../../core/devices/fix-accuracy.ts'
import { type Fix, isCertain } from '../../domain/alarm-fence.ts'
import { placesOf, rulesOf } from '../../domain/watch-lists.ts'
import type { Batch } from '../batch.ts'
import type { Device } from '../ingest/device.ts'
import { numbers } from '../store/pg-arrays.ts'
import type { DeviceState } from './device-state.ts'

/** Within the few intervals that are looked at there are more only of a device that sends far more often than it should. */
const most = 100

const fixesSql = `
select l.company_id || ':' || l.device_id as key, f.*
from unnest($1::int4[], $2::int4[], $3::int4[]) as wanted (company_id, device_id, hold_s)
join device_latest l using (company_id, device_id)
cross join lateral (
  select (extract(epoch from r.measured_at) * 1000)::float8 as at, r.lat_e7 / 1e7 as lat, r.lon_e7 / 1e7 as lon,
    ${fixAccuracySql('r.extra')} as "accuracyM"
  from readings r where r.company_id = l.company_id and r.device_id = l.device_id and r.lat_e7 is not null
    and r.measured_at >= greatest(l.measured_at, l.temperature_tail_at, l.humidity_tail_at) - wanted.hold_s * interval '1 second'
  order by r.measured_at desc limit ${most}) f`

export interface FixRow extends Fix {
  key: string
}

/** Whether an alarm of a device, or a place of its company, has a border that it may cross. */
export const watchesFences = ({ places, alarms }: Device): boolean =>
  places.length > 0 || alarms.some(({ conditions }) => conditions[0]?.kind === 'fence')

/**
 * The newest fixes of devices that watch fences, newest first: as far back as the way to the next fix may begin. The newest
 * values do not do: of a clock that is ahead they do not have the newest fix, and theirs may be too uncertain for a fence.
 */
export async function loadFixes({ client }: Batch, devices: readonly Device[]): Promise<FixRow[]> {
  const watching = devices.filter(watchesFences)
  if (watching.length === 0) return []
  const values = [
    numbers('int4', watching, (row) => row.companyId),
    numbers('int4', watching, (row) => row.id),
    numbers('int4', watching, ({ rules }) =>
      Math.ceil(Math.max(0, ...rules.temperature.map((one) => one.holdMs)) / 1000),
    ),
  ]
  return (await client.query<FixRow>({ name: 'load_fixes', text: fixesSql, values })).rows
}

/**
 * The fix by which a device was on a side of a fence last: the newest of `fixes` that says so. Where none does, the way to the next
 * one is unknown; it has been on that side since an instant.
 */
export function seenBy(
  { device }: DeviceState,
  of: { fence: string; since: number },
  fixes: readonly Fix[],
): Fix | null {
  const { fence, since } = of
  const area = (rulesOf(device.alarms).index.get(fence) ?? placesOf(device.places).index.get(fence))?.area
  const [newest] = fixes
  const found = fixes.find((fix) => !area || isCertain(area, fix)) ?? (newest && { ...newest, at: since })
  return found ? { at: found.at, lat: found.lat, lon: found.lon, accuracyM: found.accuracyM } : null
}
