import { createHash } from 'node:crypto'
import { bulkLimits } from '@isotherm/contract/bulk-uploads.ts'
import type pg from 'pg'
import { bookOf } from '../../server/test/book-of.ts'
import { asCompany, makeCompanies } from '../pipeline/companies.ts'

/** A company that sends files. */
export interface Sender {
  companyId: number
  /** A session of its Admin. */
  token: string
}

const headings = [
  ...['reference', 'logistics', 'product', 'origin', 'destination', 'mode', 'fromPort', 'toPort', 'etd', 'eta'],
  ...['containerNo', 'pallets', 'grossWeightKg', 'setPointC'],
]
const dayOf = (after: number) => new Date(Date.now() + after * 86_400_000).toISOString().slice(0, 10)

/** A row for each shipment; `wrong` has the number of a row whose destination nobody knows. */
function rowsOf(prefix: string, wrong?: number, count: number = bulkLimits.rows): string[][] {
  return Array.from({ length: count }, (_, n) => [
    ...[`${prefix}-${n}`, 'external', 'Oranges', 'Pack house', n === wrong ? 'Nowhere' : 'Importer'],
    ...['sea', 'ZACPT', 'NLRTM', `${dayOf(5 + (n % 60))} 18:00`, `${dayOf(25 + (n % 60))} 06:00`],
    ...['CSQU3054383', String(1 + (n % 20)), '21500,5', '4'],
  ])
}

export const csvOf = (prefix: string, wrong?: number): Buffer =>
  Buffer.from([headings, ...rowsOf(prefix, wrong)].map((line) => line.join(';')).join('\r\n'))

export const xlsxOf = (prefix: string): Promise<Buffer> => bookOf([headings, ...rowsOf(prefix)])

/** Companies with an origin, a destination, and an Admin who is logged in. */
export async function makeSenders(client: pg.Client, count: number): Promise<Sender[]> {
  const senders: Sender[] = []
  for (const companyId of await makeCompanies(client, count)) {
    const token = `bench${companyId}`.padEnd(40, 'x')
    const email = `bench${companyId}@example.test`
    await asCompany(client, companyId, async () => {
      await client.query(
        `insert into users (company_id, fullname, email, role, timezone, locale, status)
         values ($1, 'Bench', $2, 'admin', 'Africa/Lagos', 'en', 'active')`,
        [companyId, email],
      )
      await client.query(
        `insert into shipment_places (company_id, kind, name, country, zone, created_at, updated_at)
         values ($1, 'origin', 'Pack house', 'ZA', 'Africa/Johannesburg', now(), now()),
           ($1, 'destination', 'Importer', 'NL', 'Europe/Amsterdam', now(), now())`,
        [companyId],
      )
    })
    await client.query(
      'insert into identities (email, company_id, user_id) select email, company_id, id from users where company_id = $1',
      [companyId],
    )
    await client.query(
      `insert into sessions (token_hash, identity_id, created_at, last_seen_at, is_admin)
       select $1, id, now(), now(), true from identities where company_id = $2`,
      [createHash('sha256').update(token).digest(), companyId],
    )
    senders.push({ companyId, token })
  }
  return senders
}

interface Stored {
  rows: number
  last: number
}

/** The stored things of a company: shipments, and the last number that was given. One message to PostgreSQL, so that two may be asked about at once. */
export async function storedOf(client: pg.Client, { companyId }: Sender): Promise<Stored> {
  const results: unknown = await client.query(
    `begin; set local role app; set local app.company_id = '${companyId}';
     select (select count(*)::int from shipments where company_id = ${companyId}) as rows,
       coalesce((select last from shipment_numbers where company_id = ${companyId}), 0) as last;
     commit`,
  )
  const [stored] = (results as pg.QueryResult<Stored>[]).flatMap(({ rows }) => rows)
  if (!stored) throw new Error('nothing was counted')
  return stored
}

/**
 * Milliseconds that the stored shipments of a prefix take, with their legs and first events, where PostgreSQL copies them by one statement each. They
 * are taken back.
 */
export async function insertPlainly(client: pg.Client, { companyId }: Sender, prefix: string): Promise<number> {
  await client.query(`begin; set local role app; set local app.company_id = '${companyId}'`)
  const started = performance.now()
  await client.query(
    `with made as (
       insert into shipments (company_id, number, logistics, reference, product, pallets, gross_weight_g, origin_id, origin, destination_id,
         destination, country, set_point_c, created_at, created_by, created_by_name, updated_at)
       select company_id, number + 1000000, logistics, reference || '-plain', product, pallets, gross_weight_g, origin_id, origin, destination_id,
         destination, country, set_point_c, created_at, created_by, created_by_name, updated_at
       from shipments where company_id = $1 and reference like $2 || '-%'
       returning company_id, id, number),
     legs as (
       insert into shipment_legs (company_id, shipment_id, sequence, mode, from_port, to_port, from_name, to_name, from_zone, to_zone,
         container_no, etd, eta)
       select m.company_id, m.id, 1, l.mode, l.from_port, l.to_port, l.from_name, l.to_name, l.from_zone, l.to_zone, l.container_no, l.etd, l.eta
       from made m join shipments s on s.company_id = m.company_id and s.number = m.number - 1000000
         join shipment_legs l on l.company_id = s.company_id and l.shipment_id = s.id)
     insert into shipment_events (company_id, shipment_id, kind, occurred_at, occurred_zone, recorded_at, source)
     select company_id, id, 'created', now(), 'UTC', now(), 'person' from made`,
    [companyId, prefix],
  )
  const ms = performance.now() - started
  await client.query('rollback')
  return ms
}
