import type { RecordQuery, TrackRecord } from '@isotherm/contract/records.ts'
import type { GroupRow } from '../../core/groups/visible-groups.ts'
import type { Context } from '../../platform/context.ts'
import { listCsv } from '../../platform/http/list-csv.ts'
import { listRecords } from './record-reads.ts'

/** So many are read at once. */
const batch = 500

const columns = [
  ...[
    'name',
    'lot',
    'state',
    'start_utc',
    'end_utc',
    'ended_by',
    'destination',
    'former_group',
    'devices',
    'excursions',
  ],
  ...['budget', 'signature', 'signed_by', 'signature_void', 'made_by', 'made_at_utc'],
]

/** records.csv: a line per record that the person sees, of devices or of one group. */
export async function recordsCsv(
  ctx: Context,
  query: Omit<RecordQuery, 'page' | 'perPage'>,
  group: Pick<GroupRow, 'id' | 'name'> | null,
) {
  const lines: unknown[][] = []
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { data, meta } = await listRecords(ctx, { ...query, page, perPage: batch }, group?.id ?? null)
    lines.push(...data.map(lineOf))
    pages = meta.pageCount
  }
  ctx.audit({
    action: 'records.exported',
    ...(group && { target: { kind: 'group', id: group.id, name: group.name } }),
    after: { count: lines.length },
  })
  return listCsv('records.csv', columns, lines)
}

const lineOf = ({ signature, ...record }: TrackRecord) => [
  ...[record.name, record.lot, record.state, record.startAt, record.endAt, record.endedBy, record.destination?.name],
  ...[record.formerGroup, record.deviceCount, record.excursions, record.hasBudget],
  ...[signature?.meaning, signature?.signerName, signature?.isVoid, record.createdBy, record.createdAt],
]
