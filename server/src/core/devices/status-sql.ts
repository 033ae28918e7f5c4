import type { DeviceFilter } from '@isotherm/contract/devices.ts'
import { limits } from '@isotherm/contract/limits.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context.ts'
import { isOpenSql } from './excursion-sql.ts'

// A report takes its time on the way: without this every device would be late for a moment, once an interval.
const graceS = 30

/**
 * A device's status at `now` as SQL over `devices d` left joined with `device_latest l`: late is 1 to 3 intervals without
 * data (and 30 s on the way), offline more. The one place that decides it.
 */
export const statusSql = (now: Date): RawBuilder<string> => sql<string>`case
  when d.decommissioned_at is not null then 'decommissioned'
  when d.licence_until <= ${now} then 'expired'
  when d.power = 'off' then 'off'
  when d.flight_mode = 'on' then 'flightMode'
  when d.transmission = 'paused' then 'paused'
  when l.measured_at is null then 'awaiting'
  when l.measured_at >= ${now}::timestamptz - (d.interval_s + ${graceS}) * interval '1 second' then 'live'
  when ${isPresentSql('l.measured_at', now)} then 'late'
  else 'offline' end`

/** Whether what a device `d` told at the instant in a column is of its present: not longer ago than three of its intervals. */
export const isPresentSql = (column: string, now: Date): RawBuilder<boolean> =>
  sql<boolean>`(${sql.raw(column)} >= ${now}::timestamptz - (3 * d.interval_s + ${graceS}) * interval '1 second')`

/** Whether the licence of a row ends soon, or has ended, as a condition over its `licence_until`. */
export const licenceEndsSoonSql = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`licence_until <= ${now}::timestamptz + ${limits.licenceEndsSoonDays} * interval '24 hours'`

/** Devices of a company that are out of their limits now, as a condition over `devices d`: their excursion is still open. */
export const outOfRangeSql = ({
  companyId,
  clock,
}: Pick<Context, 'companyId' | 'clock'>): RawBuilder<boolean> => sql<boolean>`d.id in
  (select device_id from excursions where company_id = ${companyId} and ${isOpenSql(clock.now())})`

/** The condition of a chip of the list, over a row with columns `status`, `decommissioned_at` and `out_of_range`. */
export function filterSql(filter: DeviceFilter | undefined): RawBuilder<boolean> {
  switch (filter) {
    case undefined:
      return sql<boolean>`decommissioned_at is null`
    case 'inRange':
      return sql<boolean>`status in ('live', 'late') and not out_of_range`
    case 'outOfRange':
      return sql<boolean>`status in ('live', 'late') and out_of_range`
    case 'silent':
      return sql<boolean>`status in ('late', 'offline')`
    default:
      return sql<boolean>`status = ${filter}`
  }
}

/** The same for three counts in which no device is twice: out of range before silent, and silent before in range, as lists of the worst have it. */
export const briefSql = {
  outOfRange: sql<boolean>`(${filterSql('outOfRange')})`,
  silent: sql<boolean>`(${filterSql('silent')} and not (${filterSql('outOfRange')}))`,
  inRange: sql<boolean>`(${filterSql('inRange')} and not (${filterSql('silent')}))`,
} as const
