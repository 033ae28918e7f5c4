import type { CalibrationFilter, CalibrationQuery } from '@isotherm/contract/calibrations.ts'
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import type { Context, Viewer } from '../../platform/context.ts'
import { allRows, chosenSql, countFilters, type Filter, firstRow, orderOf, pageOfRows } from '../../platform/db/rows.ts'
import type { Calibrations } from '../../platform/db/schema.ts'
import { containing } from '../../platform/db/search.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { maxRows } from '../../platform/http/list-csv.ts'
import { dueSql, isReplacedSql } from './due-sql.ts'

export interface CalibrationRow extends Omit<Selectable<Calibrations>, 'calibrated_on' | 'due_on' | 'due_told_on'> {
  calibrated_on: string
  due_on: string
  device_name: string
  due: 'valid' | 'soon' | 'over' | 'replaced'
}
type Query = z.output<typeof CalibrationQuery>
type Filters = z.output<typeof CalibrationFilter>

const sorts = {
  dueOn: sql`c.due_on`,
  calibratedOn: sql`c.calibrated_on`,
  device: sql`lower(d.name)`,
  laboratory: sql`lower(c.laboratory)`,
}
const order = (sort: string) => sql`${orderOf(sorts, sort)}, c.id`

const dueOf = ({ clock }: Pick<Viewer, 'clock'>): RawBuilder<string> => {
  const { isOver, isSoon } = dueSql(clock.now())
  return sql<string>`case when ${isReplacedSql} then 'replaced' when ${isOver} then 'over' when ${isSoon} then 'soon' else 'valid' end`
}
const columns = (ctx: Viewer) => sql`c.*, c.calibrated_on::text as calibrated_on, c.due_on::text as due_on,
  d.name as device_name, ${dueOf(ctx)} as due`

const from = (ctx: Viewer): RawBuilder<unknown> => sql`calibrations c
  join devices d on (d.company_id, d.id) = (c.company_id, c.device_id) and ${visibleSql(ctx)}
  where c.company_id = ${ctx.companyId} and c.removed_at is null`

function found(ctx: Viewer, { search = '', deviceId }: Pick<Query, 'search' | 'deviceId'>): RawBuilder<unknown> {
  const pattern = containing(search)
  return sql`${from(ctx)} and (${deviceId ?? null}::int8 is null or c.device_id = ${deviceId ?? null}::int8)
    and (${search === ''} or d.name ilike ${pattern} or c.certificate_no ilike ${pattern}
      or c.laboratory ilike ${pattern} or c.channel ilike ${pattern})`
}

function filters(ctx: Viewer, { due }: Pick<Query, 'due'>): Record<string, Filter> {
  const { isOver, isSoon } = dueSql(ctx.clock.now())
  const options = {
    valid: sql`not ${isReplacedSql} and not ${isOver} and not ${isSoon}`,
    soon: sql`not ${isReplacedSql} and not ${isOver} and ${isSoon}`,
    over: sql`not ${isReplacedSql} and ${isOver}`,
    replaced: isReplacedSql,
  }
  return { due: { options, chosen: due } }
}

const chosen = (ctx: Viewer, query: Filters) => sql`${found(ctx, query)} and ${chosenSql(filters(ctx, query))}`

export const pageOfCalibrations = (ctx: Viewer, query: Query) =>
  pageOfRows<CalibrationRow>(ctx.tx, query, {
    columns: columns(ctx),
    from: chosen(ctx, query),
    order: order(query.sort),
  })

export const allCalibrations = (ctx: Viewer, query: Filters) =>
  allRows<CalibrationRow>(ctx.tx)`
    select ${columns(ctx)} from ${chosen(ctx, query)} order by ${order(query.sort)} limit ${maxRows}`

export const calibrationCounts = (ctx: Viewer, query: Query) =>
  countFilters(ctx.tx, found(ctx, query), filters(ctx, query))

/** A certificate of a device that the reader may see. Throws NOT_FOUND. */
export const findCalibration = async (ctx: Viewer, id: string): Promise<CalibrationRow> =>
  orNotFound(await firstRow<CalibrationRow>(ctx.tx)`select ${columns(ctx)} from ${from(ctx)} and c.id = ${id}::int8`)

export const insertCalibration = async (
  { tx, companyId }: Context,
  values: Omit<Insertable<Calibrations>, 'company_id' | 'id'>,
): Promise<string> =>
  (
    await tx
      .insertInto('calibrations')
      .values({ ...values, company_id: companyId })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

/** False where it was taken out by somebody else meanwhile. */
export const markRemoved = async ({ tx, companyId, clock }: Context, id: string): Promise<boolean> =>
  (await firstRow(tx)`update calibrations set removed_at = ${clock.now()}
    where company_id = ${companyId} and id = ${id}::int8 and removed_at is null returning id`) !== undefined
