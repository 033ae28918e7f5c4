/**
 * The instant from which a device `d` counts that joined something under way, by its row `m` there; null: it was there from the start. Its
 * time begins with its first reading from then on: a reading of before tells of something else, and holds for three intervals at most.
 */
export const countsFromText = `(case when m.joined_at is not null then least(m.joined_at + 3 * d.interval_s * interval '1 second',
  (select min(a.measured_at) from readings a where a.company_id = m.company_id and a.device_id = m.device_id and a.measured_at >= m.joined_at
    and a.measured_at < m.joined_at + 3 * d.interval_s * interval '1 second'
    and coalesce(a.temperature_centi, a.humidity_centi) is not null)) end)`
