/**
 * Notes what a batch brought, an arrival for each company, in the transaction that inserts the readings: they carry its number (xmin), which is why
 * it must have no savepoints. `$1` to `$4`: company, device, measured_at and received_at of each reading.
 */
export const noteArrivalsText = `
insert into reading_arrivals (company_id, received_from, received_to, device_ids, measured_at)
select company_id, min(received_at), max(received_at), array_agg(device_id), array_agg(measured_at)
from unnest($1::int4[], $2::int4[], $3::timestamptz[], $4::timestamptz[]) as r (company_id, device_id, measured_at, received_at)
group by company_id`
