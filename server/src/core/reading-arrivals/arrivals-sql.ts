/**
 * Notes what a batch brought, an arrival for each company, in the transaction that inserts the readings: they carry its number (xmin), which is why
 * it must have no savepoints. `$1` to `$5`, for each company: its id, the bounds of received_at, and the places of its first and last reading, from 1,
 * among all of the batch. `$6` and `$7`: device and measured_at of these. Slices of arrays are copied: to gather rows into arrays again would cost a
 * third of the insertion of the readings.
 */
export const noteArrivalsText = `
insert into reading_arrivals (company_id, received_from, received_to, device_ids, measured_at)
select c.id, c.received_from, c.received_to, ($6::int4[])[c.first:c.last], ($7::timestamptz[])[c.first:c.last]
from unnest($1::int4[], $2::timestamptz[], $3::timestamptz[], $4::int4[], $5::int4[]) as c (id, received_from, received_to, first, last)`
