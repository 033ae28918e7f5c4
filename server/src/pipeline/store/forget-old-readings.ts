import type { Client } from '../../platform/db/pool.ts'

/** One batch of readings that is gone. */
interface Forgotten {
  n: number
  first: Date
  last: Date
  /** SHA-256 of the readings in the order of time: docs/adr/0050 says how they are written. */
  sha256: string
}

// Only spans that nothing holds are read; the policy of the table refuses the others once more.
const sql = `
with free as (
  select unnest(tstzmultirange(tstzrange('-infinity', $3::timestamptz))
    - coalesce((select range_agg(h.span) from retention_holds($1::int4, $2::int4) h), '{}'::tstzmultirange)) as span),
old as (
  select r.measured_at from free f cross join lateral (
    select measured_at from readings where company_id = $1 and device_id = $2 and measured_at >= lower(f.span)
      and measured_at < upper(f.span) and measured_at < $3::timestamptz order by measured_at limit $4) r
  order by 1 limit $4),
gone as (
  delete from readings r using old
  where r.company_id = $1 and r.device_id = $2 and r.measured_at < $3::timestamptz and r.measured_at = old.measured_at
  returning r.*)
select count(*)::int as n, min(measured_at) as first, max(measured_at) as last,
  encode(sha256(convert_to(string_agg(concat_ws('|', (extract(epoch from measured_at) * 1000)::int8,
    coalesce(temperature_centi::text, '-'), coalesce(humidity_centi::text, '-'), coalesce(light_lux::text, '-'),
    coalesce(battery_pct::text, '-'), coalesce(lat_e7::text, '-'), coalesce(lon_e7::text, '-'), coalesce(extra::text, '-')),
    E'\n' order by measured_at), 'UTF8')), 'hex') as sha256
from gone`

/**
 * Deletes the oldest readings of a device from before an instant, so many at most, but none that anything holds. As pipeline. The hourly sums,
 * excursions and alarms that were made of them stay.
 */
export async function forgetOldReadings(
  client: Client,
  { companyId, id }: { companyId: number; id: number },
  before: Date,
  max: number,
): Promise<Forgotten | null> {
  const { rows } = await client.query<Forgotten>(sql, [companyId, id, before, max])
  return rows[0] && rows[0].n > 0 ? rows[0] : null
}
