import { type RawBuilder, type Selectable, sql } from 'kysely'
import { locksOfAll } from '../../platform/db/advisory-locks.ts'
import { allRows, countRows, firstRow } from '../../platform/db/rows.ts'
import type { Ports } from '../../platform/db/schema.ts'
import { containing } from '../../platform/db/search.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { PortKind, PortOfFile } from './ports-file.ts'

export type PortRow = Selectable<Ports>

/** One server at a time loads the file: the next one waits here, then sees that it was done. */
export const lockPorts = (tx: Tx) => sql`select pg_advisory_xact_lock(${locksOfAll.ports}::int8)`.execute(tx)

export const isLoaded = async (tx: Tx, sha256: Buffer): Promise<boolean> =>
  (await firstRow(tx)`select from port_file where sha256 = ${sha256}`) !== undefined

export const noteLoaded = (tx: Tx, sha256: Buffer, now: Date) =>
  sql`insert into port_file (sha256, loaded_at) values (${sha256}, ${now})
    on conflict (is_one) do update set sha256 = excluded.sha256, loaded_at = excluded.loaded_at`.execute(tx)

/** Writes ports as the file has them; one that was closed is open again. */
export const savePorts = (tx: Tx, ports: readonly PortOfFile[]) =>
  sql`insert into ports (kind, code, name, aliases, country, lat, lon, zone, radius_m, source, search)
    select kind, code, name, aliases, country, lat, lon, zone, radius_m, source, search
    from jsonb_to_recordset(${JSON.stringify(ports)}::jsonb) as p(kind text, code text, name text, aliases text[],
      country text, lat float8, lon float8, zone text, radius_m int4, source text, search text)
    on conflict (kind, code) do update set (name, aliases, country, lat, lon, zone, radius_m, source, search, retired_at)
      = (excluded.name, excluded.aliases, excluded.country, excluded.lat, excluded.lon, excluded.zone,
        excluded.radius_m, excluded.source, excluded.search, null)`.execute(tx)

/** Closes ports that the file has no more; what names them still finds them. */
export const retireOthers = (tx: Tx, ports: readonly PortOfFile[], now: Date): Promise<number> =>
  countRows(tx)`
    with closed as (
      update ports set retired_at = ${now} where retired_at is null and (kind, code) not in (
        select * from unnest(${ports.map(({ kind }) => kind)}::text[], ${ports.map(({ code }) => code)}::text[]))
      returning 1)
    select count(*)::int as n from closed`

/** A port by its code, a closed one, too. */
export const loadPort = (tx: Tx, kind: PortKind, code: string): Promise<PortRow | undefined> =>
  firstRow<PortRow>(tx)`select * from ports where kind = ${kind} and code = ${code}`

/** Ports by their codes, closed ones, too, in no order. */
export const loadPorts = (tx: Tx, ports: readonly { kind: string; code: string }[]): Promise<PortRow[]> =>
  allRows<PortRow>(tx)`
    select p.* from ports p join unnest(${ports.map(({ kind }) => kind)}::text[],
      ${ports.map(({ code }) => code)}::text[]) as w(kind, code) using (kind, code)`

/** The zone of the port of a country that is nearest to a place; its degrees count as those at that latitude. */
export const nearestZone = async (
  tx: Tx,
  country: string,
  { lat, lon }: { lat: number; lon: number },
): Promise<string | undefined> =>
  (
    await firstRow<{ zone: string }>(tx)`
      select zone from ports where country = ${country} and zone is not null and lat is not null and retired_at is null
      order by (lat - ${lat}::float8) ^ 2 + ((lon - ${lon}::float8) * cosd(${lat}::float8)) ^ 2, code limit 1`
  )?.zone

export interface PortSearch {
  kind: PortKind | undefined
  country: string | undefined
  /** Folded; empty: all. */
  text: string
  /** The code that it may be, in small letters. */
  code: string
  /** Countries of that name. */
  countries: readonly string[]
  most: number
}

/** Open ports, the best first: by code, name, beginning of a name, beginning of a word, country, anywhere; those that we looked at before others. */
export function searchPorts(tx: Tx, { kind, country, text, code, countries, most }: PortSearch): Promise<PortRow[]> {
  const has = (pattern: string): RawBuilder<unknown> => sql`p.search like ${containing(pattern)}`
  const isThere = sql`p.country = any(${countries}::text[])`
  return allRows<PortRow>(tx)`
    select p.* from ports p
    where p.retired_at is null and (${kind ?? null}::text is null or p.kind = ${kind ?? null})
      and (${country ?? null}::text is null or p.country = ${country ?? null})
      and (${text === ''} or ${has(text)} or lower(p.code) = ${code} or ${isThere})
    order by case when ${text === ''} or lower(p.code) = ${code} then 0 when ${has(`|${text}|`)} then 1
      when ${has(`|${text}`)} then 2 when ${has(` ${text}`)} then 3 when ${isThere} then 4 else 5 end,
      (p.source = 'isotherm') desc, lower(p.name), p.kind, p.code
    limit ${most}`
}
