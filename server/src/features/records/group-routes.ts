import { done } from '@isotherm/contract/common.ts'
import { Measure } from '@isotherm/contract/device-limits.ts'
import type { groupRecords, RecordLocations } from '@isotherm/contract/group-records.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import { sql } from 'kysely'
import { findGroup } from '../../platform/groups/visible-groups.ts'
import { AppError } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { recordsCsv } from './csv.ts'
import { countedRecord } from './queries.ts'
import { detailsOf, listRecords, presentOne, recordChart } from './record-reads.ts'
import { findRecord, membersOf, periodOf, type RecordRow, seenMembers } from './record-visibility.ts'
import type { RecordParts } from './routes.ts'
import { addGroupRecord, endRecord, removeRecord, startRecord } from './verbs.ts'

/** A record of this group; throws NOT_FOUND, also where it is another group's, or the group is gone. */
async function recordOf(ctx: Context, groupId: string, recordId: string): Promise<RecordRow> {
  const record = await findRecord(ctx, recordId)
  if (record.group_id !== groupId || record.group_gone) throw new AppError('NOT_FOUND')
  return record
}

export const groupRecordHandlers = ({
  stats,
  chart,
}: Pick<RecordParts, 'stats' | 'chart'>): Handlers<typeof groupRecords> => ({
  async list(ctx, { params, query }) {
    return listRecords(ctx, query, (await findGroup(ctx, params.id)).id)
  },
  exportCsv: async (ctx, { params, query }) => recordsCsv(ctx, query, await findGroup(ctx, params.id)),
  add: async (ctx, { params, body }) =>
    presentOne(ctx, await addGroupRecord(ctx, await findGroup(ctx, params.id), body)),
  async one(ctx, { params }) {
    const { id } = await recordOf(ctx, params.id, params.recordId)
    return detailsOf(ctx, await countedRecord(ctx, id))
  },
  async remove(ctx, { params }) {
    await removeRecord(ctx, (await recordOf(ctx, params.id, params.recordId)).id)
    return done
  },
  async start(ctx, { body }) {
    const { id } = await recordOf(ctx, body.groupId, body.recordId)
    await startRecord(ctx, id)
    return presentOne(ctx, id)
  },
  async end(ctx, { body }) {
    const { id } = await recordOf(ctx, body.groupId, body.recordId)
    await endRecord(ctx, id)
    return presentOne(ctx, id)
  },
  async stats(ctx, { params, query }) {
    const measure = Measure.safeParse(params.type)
    if (!measure.success) throw new AppError('NOT_FOUND')
    const record = await recordOf(ctx, params.id, params.recordId)
    const period = periodOf(record, ctx.clock.now())
    const members = await seenMembers(ctx, record, await membersOf(ctx, record))
    const first = (query.page - 1) * query.perPage
    const data = []
    for (const { id, name } of members.slice(first, first + query.perPage))
      data.push({ device: { id: String(id), name }, stats: (await stats(ctx, id, period))[measure.data] })
    return { data, meta: metaOf(query, members.length), period, measure: measure.data }
  },
  chart: async (ctx, { params, query }) =>
    recordChart(ctx, chart, await recordOf(ctx, params.id, params.recordId), query),
  locations: async (ctx, { params }) => locationsOf(ctx, await recordOf(ctx, params.id, params.recordId)),
})

interface EndsRow {
  id: number
  fixes: number
  first_at: Date
  first_lat: number
  first_lon: number
  last_at: Date
  last_lat: number
  last_lon: number
}

async function locationsOf(ctx: Context, record: RecordRow): Promise<RecordLocations> {
  const members = await seenMembers(ctx, record, await membersOf(ctx, record))
  const { from, to } = periodOf(record, ctx.clock.now())
  const fix = (order: 'asc' | 'desc') => sql`(select measured_at, lat_e7, lon_e7 from readings r
    where r.company_id = ${ctx.companyId} and r.device_id = d.id and r.lat_e7 is not null and r.lon_e7 is not null
      and r.measured_at >= ${from}::timestamptz and r.measured_at <= ${to}::timestamptz
    order by r.measured_at ${sql.raw(order)} limit 1)`
  const { rows } = await sql<EndsRow>`
    select d.id, f.measured_at as first_at, f.lat_e7 as first_lat, f.lon_e7 as first_lon, l.measured_at as last_at,
      l.lat_e7 as last_lat, l.lon_e7 as last_lon,
      (select count(lat_e7)::int from readings r where r.company_id = ${ctx.companyId} and r.device_id = d.id
        and r.measured_at >= ${from}::timestamptz and r.measured_at <= ${to}::timestamptz) as fixes
    from unnest(${members.map(({ id }) => id)}::int4[]) as d (id)
    cross join lateral ${fix('asc')} as f cross join lateral ${fix('desc')} as l`.execute(ctx.tx)
  const names = new Map(members.map(({ id, name }) => [id, name]))
  return {
    devices: rows.map((row) => ({
      id: String(row.id),
      name: names.get(row.id) ?? '',
      first: { at: row.first_at.toISOString(), lat: row.first_lat / 1e7, lon: row.first_lon / 1e7 },
      last: { at: row.last_at.toISOString(), lat: row.last_lat / 1e7, lon: row.last_lon / 1e7 },
      fixes: row.fixes,
    })),
  }
}
