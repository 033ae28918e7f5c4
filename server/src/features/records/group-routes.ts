import { Measure } from '@isotherm/contract/device-limits.ts'
import type { groupRecords } from '@isotherm/contract/group-records.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import { findGroup } from '../../core/groups/visible-groups.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { addGroupRecord } from './add-record.ts'
import { recordsCsv } from './csv.ts'
import { endRecord } from './end-record.ts'
import { findGroupRecord, lockGroupRecord, seenMembers } from './policy.ts'
import { countedRecord } from './queries.ts'
import { detailsOf, listRecords, presentOne, recordChart, recordLocations } from './record-reads.ts'
import { periodOf } from './record-window.ts'
import { removeRecord } from './remove-record.ts'
import type { RecordParts } from './routes.ts'
import { startRecord } from './start-record.ts'
import { membersOf } from './visibility-queries.ts'

export const groupRecordHandlers = ({
  stats,
  chart,
}: Pick<RecordParts, 'stats' | 'chart'>): Handlers<typeof groupRecords> => ({
  async list(ctx, { params, query }) {
    return listRecords(ctx, query, (await findGroup(ctx, params.id)).id)
  },
  exportCsv: async (ctx, { params, query }) => recordsCsv(ctx, query, await findGroup(ctx, params.id)),
  add: async (ctx, { params, body }) =>
    presentOne(ctx, (await addGroupRecord(ctx, await findGroup(ctx, params.id), body)).id),
  async one(ctx, { params }) {
    const { id } = await findGroupRecord(ctx, params.id, params.recordId)
    return detailsOf(ctx, await countedRecord(ctx, id))
  },
  remove: async (ctx, { params }) => removeRecord(ctx, await lockGroupRecord(ctx, params.id, params.recordId)),
  async start(ctx, { body }) {
    const record = await lockGroupRecord(ctx, body.groupId, body.recordId)
    await startRecord(ctx, record)
    return presentOne(ctx, record.id)
  },
  async end(ctx, { body }) {
    const record = await lockGroupRecord(ctx, body.groupId, body.recordId)
    await endRecord(ctx, record)
    return presentOne(ctx, record.id)
  },
  async stats(ctx, { params, query }) {
    const measure = Measure.safeParse(params.type)
    if (!measure.success) throw new AppError('NOT_FOUND')
    const record = await findGroupRecord(ctx, params.id, params.recordId)
    const period = periodOf(record, ctx.clock.now())
    const members = await seenMembers(ctx, record, await membersOf(ctx, record))
    const first = (query.page - 1) * query.perPage
    const data = []
    for (const { id, name } of members.slice(first, first + query.perPage))
      data.push({ device: { id: String(id), name }, stats: (await stats(ctx, id, period))[measure.data] })
    return { data, meta: metaOf(query, members.length), period, measure: measure.data }
  },
  chart: async (ctx, { params, query }) =>
    recordChart(ctx, chart, await findGroupRecord(ctx, params.id, params.recordId), query),
  locations: async (ctx, { params }) => recordLocations(ctx, await findGroupRecord(ctx, params.id, params.recordId)),
})
