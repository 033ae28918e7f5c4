import { z } from 'zod'
import { del, file, get, post, put } from './call.ts'
import { Done, Id, Instant } from './common.ts'
import { Measure } from './device-limits.ts'
import { ChartQuery, GroupChart } from './groups.ts'
import { countedPageOf, Paging, pageOf } from './paging.ts'
import { NewGroupRecord, RecordDetails, RecordQuery, TrackRecord } from './records.ts'
import { MeasureStats } from './stats.ts'

const OfGroup = z.strictObject({ groupId: Id, recordId: Id })

/** One measure of a page of the record's devices, by name. */
export const GroupRecordStats = pageOf(
  z.object({ device: z.object({ id: Id, name: z.string() }), stats: MeasureStats }),
).extend({ period: z.object({ from: Instant, to: Instant }), measure: Measure })
export type GroupRecordStats = z.infer<typeof GroupRecordStats>

const Fix = z.object({ at: Instant, lat: z.number(), lon: z.number() })
/** Where each device that knew was: first and last within the record. */
export const RecordLocations = z.object({
  devices: z.array(z.object({ id: Id, name: z.string(), first: Fix, last: Fix, fixes: z.number().int() })),
})
export type RecordLocations = z.infer<typeof RecordLocations>

const view = { needs: 'groups.view' } as const
const edit = { needs: 'groups.addOrEdit' } as const

/** Records of a group: its devices are those it has when the record begins. */
export const groupRecords = {
  list: get('/grouprecords/:id', {
    ...view,
    summary: 'The records of a group, newest first',
    query: RecordQuery,
    returns: countedPageOf(TrackRecord),
  }),
  exportCsv: get('/grouprecords/:id/export', {
    needs: 'groups.export',
    summary: 'records.csv of a group, of what search and filter leave',
    query: RecordQuery.omit({ page: true, perPage: true }),
    returns: file('text/csv'),
  }),
  add: post('/grouprecords/:id', {
    ...edit,
    begins: 'other',
    summary: 'Makes a record of a group’s devices: from now on, from a later time, or of the past',
    body: NewGroupRecord,
    returns: TrackRecord,
  }),
  one: get('/gammagrouprecord/:id/:recordId', {
    ...view,
    summary: 'A record of a group, with its notes, files, signatures and budget',
    returns: RecordDetails,
  }),
  remove: del('/gammagrouprecord/:id/:recordId', {
    ...edit,
    summary: 'Deletes a record of a group that nobody has signed',
    returns: Done,
  }),
  start: put('/grouprecord/start', {
    ...edit,
    summary: 'Begins a planned record of a group now',
    body: OfGroup,
    returns: TrackRecord,
  }),
  end: put('/grouprecord/end', {
    ...edit,
    summary: 'Ends a running record of a group now',
    body: OfGroup,
    returns: TrackRecord,
  }),
  stats: get('/gammarecordstats/:id/:recordId/:type', {
    ...view,
    readsMany: true,
    summary: 'Statistics of one measure, temperature or humidity, of the record’s devices',
    query: z.strictObject({
      page: Paging.shape.page,
      perPage: z.coerce.number().int().min(1).max(50).default(25),
    }),
    returns: GroupRecordStats,
  }),
  chart: get('/gammarecordchart/:id/:recordId', {
    ...view,
    readsMany: true,
    summary: 'All the record’s devices on one chart, through the record',
    query: ChartQuery,
    returns: GroupChart,
  }),
  locations: get('/recordlocations/:id/:recordId', {
    ...view,
    readsMany: true,
    summary: 'Where the record’s devices were',
    returns: RecordLocations,
  }),
}
