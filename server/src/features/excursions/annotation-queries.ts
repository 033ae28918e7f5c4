import type { Role } from '@isotherm/contract/permissions.ts'
import { sql } from 'kysely'
import { belongsSql, outsideSql } from '../../core/devices/annotation-sql.ts'
import type { Context, TenantTx } from '../../platform/context.ts'
import { firstRow } from '../../platform/db/rows.ts'

export interface Annotated {
  cause_id: string | null
  note: string | null
  owner_id: string | null
}

/**
 * Gives an excursion this annotation in the place of all that its stretch has: one that reaches beyond it (because late readings
 * split what it was written for) keeps the rest.
 */
export async function replaceAnnotation(ctx: Context, excursionId: string, values: Annotated): Promise<void> {
  const thisOne = sql`e.company_id = ${ctx.companyId} and e.id = ${excursionId}::int8`
  await sql`delete from excursion_annotations n using excursions e where ${thisOne} and ${belongsSql}
    and n.covers <@ tstzmultirange(${outsideSql})`.execute(ctx.tx)
  await sql`update excursion_annotations n set covers = n.covers - tstzmultirange(${outsideSql})
    from excursions e where ${thisOne} and ${belongsSql}`.execute(ctx.tx)
  if (values.cause_id === null && values.note === null && values.owner_id === null) return
  await sql`insert into excursion_annotations
      (company_id, device_id, measure, side, covers, cause_id, note, owner_id, changed_at, changed_by)
    select e.company_id, e.device_id, e.measure, e.side, tstzmultirange(${outsideSql}), ${values.cause_id}::int8,
      ${values.note}::text, ${values.owner_id}::int8, ${ctx.clock.now()}, ${ctx.person.id}::int8
    from excursions e where ${thisOne}`.execute(ctx.tx)
}

/** A person of the team. */
export const findOwner = (ctx: TenantTx, id: string) =>
  firstRow<{ id: string; fullname: string; role: Role }>(ctx.tx)`
    select id::text, fullname, role from users where company_id = ${ctx.companyId} and id = ${id}::int8 and archived_at is null`
