import type pg from 'pg'

const stops = `cross join lateral (select count(*)::int as receivers, count(r.settled_at)::int as settled, min(r.name) as first, max(r.name) as last
    from order_receivers r where r.company_id = o.company_id and r.order_id = o.id) s
  left join drivers d on d.company_id = o.company_id and d.id = o.driver_id
  left join vehicles v on v.company_id = o.company_id and v.id = o.vehicle_id`

const now = `left join lateral (select r.id, r.name, r.address, r.lat, r.lon, r.zone, r.state, r.eta from order_receivers r
    where r.company_id = o.company_id and r.order_id = o.id and r.settled_at is null and r.snoozed_until is null order by r.sequence limit 1) n on true
  left join lateral (select l.lat_e7, l.lon_e7, l.position_at, l.temperature_centi, x.temperature_min_centi, x.temperature_max_centi
    from order_devices m join device_latest l on l.company_id = m.company_id and l.device_id = m.device_id
    left join device_limits x on x.company_id = m.company_id and x.device_id = m.device_id
    where m.company_id = o.company_id and m.order_id = o.id order by l.position_at desc limit 1) p on true`

/** The questions of the screens put plainly in SQL: by one who sees everything, for one page. */
export const plainQuestions = {
  list: [
    `select o.*, s.*, d.name, v.name, v.plate from (select * from orders where company_id = $1 order by created_at desc, id desc limit 25) o ${stops}`,
    'select count(*) from orders where company_id = $1',
    `select state, count(*) from orders where company_id = $1 group by state`,
  ],
  summary: [
    `select state, count(*) from orders where company_id = $1 group by state`,
    `select count(*) from orders o where company_id = $1 and state = 'inProgress' and exists (select from order_receivers r
       where r.company_id = o.company_id and r.order_id = o.id and r.settled_at is null
         and greatest(now(), (r.eta ->> 'at')::timestamptz) > coalesce(r.window_by, o.deliver_by))`,
  ],
  map: [
    `select o.id, o.tracking_code, o.driver_name, o.plate, n.*, p.*
     from (select * from orders where company_id = $1 and state = 'inProgress' order by deliver_by, id limit 2000) o ${now}`,
    `select count(*) from orders where company_id = $1 and state = 'inProgress'`,
  ],
  board: [
    `with day as (select * from orders where company_id = $1 and (state = 'inProgress' or (state = 'new' and deliver_by::date = now()::date)
         or ended_at::date = now()::date)),
       chosen as (select distinct driver_name from day order by driver_name limit 20)
     select o.*, s.*, d.name, v.plate, n.*, p.* from day o join chosen using (driver_name) ${stops} ${now}`,
    "select count(distinct driver_id) from orders where company_id = $1 and state = 'inProgress'",
  ],
} as const

/** Milliseconds that the statements of a question take as the company, rows included. */
export async function timePlain(
  client: pg.Client,
  companyId: number,
  name: keyof typeof plainQuestions,
): Promise<number> {
  await client.query(`begin; set local role app; set local app.company_id = '${companyId}'`)
  const started = performance.now()
  for (const text of plainQuestions[name]) await client.query(text, [companyId])
  const ms = performance.now() - started
  await client.query('commit')
  return ms
}
