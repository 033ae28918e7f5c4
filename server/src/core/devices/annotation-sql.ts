import type { Locale } from '@isotherm/contract/common.ts'
import { type RawBuilder, sql } from 'kysely'
import { textsOf } from '../../platform/i18n/i18n.ts'

/** From the first reading outside of an excursion `e` to its last, both included: what an annotation of it covers. */
export const outsideSql: RawBuilder<unknown> = sql`tstzrange(e.start_at, e.last_at, '[]')`

/** Whether an annotation `n` belongs to an excursion `e`. */
export const belongsSql: RawBuilder<boolean> = sql<boolean>`n.company_id = e.company_id and n.device_id = e.device_id
  and n.measure = e.measure and n.side = e.side and n.covers && ${outsideSql}`

const overlapSql = sql`(select sum(upper(part) - lower(part))
  from unnest(n.covers * tstzmultirange(${outsideSql})) as part)`

/** The name of a cause `c`: the company's own, or that of its code in the reader's language. */
export const causeNameSql = (locale: Locale): RawBuilder<string | null> =>
  sql<string | null>`coalesce(c.name, ${JSON.stringify(textsOf(locale, 'excursions:causes'))}::jsonb ->> c.code)`

/** The key of a cause `c`. */
export const causeKeySql: RawBuilder<string | null> = sql<string | null>`coalesce(c.code, c.id::text)`

const namedSql = sql`left join excursion_causes c on c.company_id = n.company_id and c.id = n.cause_id
  left join users o on o.company_id = n.company_id and o.id = n.owner_id`
const ownFirstSql = sql`${overlapSql} desc, n.changed_at desc, n.id desc`

/** The annotations `n` of an excursion `e`, with cause `c` and owner `o`; its own first, which covers most of it. */
export const annotationsSql = (columns: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select ${columns} from excursion_annotations n ${namedSql}
  where ${belongsSql} order by ${ownFirstSql}`

/**
 * The own annotation of each chosen excursion `e` that has one, by `excursion_id`. Questions about many excursions join it: `annotationsSql` would
 * be run for each of them. Materialized: by the plan of an almost empty table this, too, would be.
 */
export const ownAnnotationsSql = (
  columns: RawBuilder<unknown>,
  chosen: RawBuilder<boolean>,
): RawBuilder<unknown> => sql`
  with own as materialized (select distinct on (e.id) e.id as excursion_id, ${columns} from excursion_annotations n
    join excursions e on ${belongsSql} ${namedSql}
    where ${chosen} order by e.id, ${ownFirstSql}) select * from own`
