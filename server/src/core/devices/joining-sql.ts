import { intervalsHeld } from '../../domain/measures.ts'

/**
 * How long a reading holds at most, as an interval of time: three intervals of its device, as they were set at an instant. Where nobody had
 * set one yet, the shortest. `device` names a row and its column of the device's id.
 */
export const holdText = (device: { row: string; id: string }, at: string) =>
  `(${intervalsHeld} * interval '1 second' * coalesce((select i.interval_s from device_intervals i where i.company_id = ${device.row}.company_id
    and i.device_id = ${device.row}.${device.id} and i.valid_from <= ${at} order by i.valid_from desc limit 1), 180))`

/**
 * The instant from which a device counts that joined something under way, by its row `m` there; null: it was there from the start. Its time
 * begins with its first reading from then on: a reading of before tells of something else, and holds for three intervals at most, as they
 * were set at its joining. Each mention reads the readings: a query that asks more than once keeps the answer (`offset 0`).
 */
export const countsFromText = `(case when m.joined_at is not null then (select least(w.until, (select min(a.measured_at) from readings a
    where a.company_id = m.company_id and a.device_id = m.device_id and a.measured_at >= m.joined_at and a.measured_at < w.until
      and coalesce(a.temperature_centi, a.humidity_centi) is not null))
  from (select m.joined_at + ${holdText({ row: 'm', id: 'device_id' }, 'm.joined_at')} as until) w) end)`
