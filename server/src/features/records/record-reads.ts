import type { Period } from '@isotherm/contract/common.ts'
import type { RecordLocations } from '@isotherm/contract/group-records.ts'
import type { ChartQuery, GroupChart } from '@isotherm/contract/groups.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import type { RecordDetails, RecordQuery, RecordStats, TrackRecord } from '@isotherm/contract/records.ts'
import type { StatsOfDevice } from '@isotherm/contract/stats.ts'
import type { RecordRow } from '../../core/records/record-queries.ts'
import { verdictOfRecord } from '../../domain/record-verdict.ts'
import type { Context } from '../../platform/context.ts'
import { changedParts, contentHash, contentOf } from './content-hash.ts'
import { touchedAt } from './content-queries.ts'
import { additionsOf } from './note-queries.ts'
import { findRecord, seenMembers } from './policy.ts'
import {
  type JudgedSignature,
  presentAttachment,
  presentDevices,
  presentLocations,
  presentNote,
  presentRecord,
  presentSignature,
} from './present.ts'
import {
  type CountedRecord,
  countedRecord,
  endsOfPaths,
  hardwareOf,
  pageOfRecords,
  recordCounts,
  type SignatureRow,
  signaturesOf,
} from './queries.ts'
import { attends, ownPeriod, periodOf, unattended } from './record-window.ts'
import { spentOf } from './stability-budget.ts'
import { type MemberRow, membersOf, seesAllOf } from './visibility-queries.ts'

/** Exact statistics of one device, which another feature knows. The app puts it in. */
export type StatsSource = (ctx: Context, deviceId: number, period: Period) => Promise<StatsOfDevice>

/** Devices on one chart, which another feature draws; `parts`: those of which only a part counts. The app puts it in. */
export type ChartSource = (
  ctx: Context,
  deviceIds: readonly number[],
  wanted: Period & ChartQuery,
  parts?: ReadonlyMap<number, Period>,
) => Promise<GroupChart>

/** A page of records; of those that are signed, whether the last signature still stands. */
export async function listRecords(ctx: Context, query: RecordQuery, groupId: string | null) {
  const { rows, total } = await pageOfRecords(ctx, query, groupId)
  const signatures = Map.groupBy(
    await signaturesOf(
      ctx,
      rows.map(({ id }) => id),
    ),
    (row) => row.record_id,
  )
  const data: TrackRecord[] = []
  for (const row of rows) data.push(presentRecord(row, await lastSignature(ctx, row, signatures.get(row.id) ?? [])))
  return { data, meta: metaOf(query, total), filterCounts: await recordCounts(ctx, query, groupId) }
}

async function lastSignature(
  ctx: Context,
  record: RecordRow,
  signatures: readonly SignatureRow[],
): Promise<JudgedSignature | null> {
  const row = signatures.at(-1)
  if (!row) return null
  const [content, touched] = [await contentOf(ctx, record), await touchedAt(ctx, record.id)]
  return { row, changed: changedParts(row, signatures.at(-2) ?? null, content, touched) }
}

/** A record as lists show it. */
export async function presentOne(ctx: Context, id: string): Promise<TrackRecord> {
  const row = await countedRecord(ctx, id)
  return presentRecord(row, await lastSignature(ctx, row, await signaturesOf(ctx, [id])))
}

/** All there is to a record but its statistics. Throws NOT_FOUND. */
export async function recordDetails(ctx: Context, id: string): Promise<RecordDetails> {
  return detailsOf(ctx, await countedRecord(ctx, (await findRecord(ctx, id)).id))
}

export async function detailsOf(ctx: Context, row: CountedRecord): Promise<RecordDetails> {
  const now = ctx.clock.now()
  const period = periodOf(row, now)
  const members = await membersOf(ctx, row)
  const seen = await seenMembers(ctx, row, members)
  const signatures = await signaturesOf(ctx, [row.id])
  const spent = await spentOf(ctx, row, now)
  const content = row.state === 'ended' ? await contentOf(ctx, row, { budget: spent?.state ?? null }) : null
  const touched = await touchedAt(ctx, row.id)
  const judged = content
    ? signatures.map((row, at) => ({ row, changed: changedParts(row, signatures[at - 1] ?? null, content, touched) }))
    : []
  const isWhole = seen.length === members.length
  // A budget tells what was measured: it is for who sees all of that.
  const seesBudget = isWhole && spent !== null && (await seesAllOf(ctx, spent.earlier, spent.deviceIds))
  return {
    ...presentRecord(row, judged.at(-1) ?? null),
    ...period,
    devices: presentDevices(seen, await hardwareOf(ctx, idsOf(seen), period)),
    hiddenDevices: members.length - seen.length,
    budget: seesBudget ? spent.state : null,
    notes: (await additionsOf(ctx, 'record_notes', row.id)).map(presentNote),
    attachments: (await additionsOf(ctx, 'record_attachments', row.id)).map(presentAttachment),
    signatures: judged.map(presentSignature),
    contentSha256: content && isWhole ? contentHash(content.parts, signatures.at(-1)?.sha256 ?? null) : null,
  }
}

const idsOf = (members: readonly { id: number }[]) => members.map(({ id }) => id)

/** The devices of a record that the person sees. */
const membersSeen = async (ctx: Context, record: RecordRow): Promise<MemberRow[]> =>
  seenMembers(ctx, record, await membersOf(ctx, record))

/** Devices of a record, each with what counts of it; those of which nothing does are left out. */
const counted = (ctx: Context, record: RecordRow, members: readonly MemberRow[]): (MemberRow & { own: Period })[] =>
  members.flatMap((member) => {
    const own = ownPeriod(record, member, ctx.clock.now())
    return own ? [{ ...member, own }] : []
  })

const countedMembers = async (ctx: Context, record: RecordRow) => counted(ctx, record, await membersSeen(ctx, record))

/** The figures of each device through the record, and the worst of their verdicts. Goods without a device for a time are not proven in range. */
export async function recordStats(ctx: Context, stats: StatsSource, record: RecordRow): Promise<RecordStats> {
  const members = await membersSeen(ctx, record)
  const devices: RecordStats['devices'] = []
  for (const { id, name, own } of counted(ctx, record, members))
    devices.push({ deviceId: String(id), name, ...(await stats(ctx, id, own)) })
  const now = ctx.clock.now()
  const without = unattended(
    record,
    members.filter((member) => attends(record, member, now)),
    now,
  )
  const verdict = verdictOfRecord(devices)
  return { verdict: verdict === 'inRange' && without.length > 0 ? 'incomplete' : verdict, devices, unattended: without }
}

/** Its devices that the person sees, on one chart. */
export async function recordChart(ctx: Context, chart: ChartSource, record: RecordRow, query: ChartQuery) {
  const members = await countedMembers(ctx, record)
  const parted = members.filter(({ joined_at, left_at }) => joined_at !== null || left_at !== null)
  const parts = new Map(parted.map(({ id, own }) => [id, own]))
  return chart(ctx, idsOf(members), { ...periodOf(record, ctx.clock.now()), ...query }, parts)
}

/** Where its devices that the person sees began and ended, as far as they measured positions. */
export async function recordLocations(ctx: Context, record: RecordRow): Promise<RecordLocations> {
  const members = await countedMembers(ctx, record)
  return presentLocations(members, await endsOfPaths(ctx, members))
}

/** A report's facts about the record itself, and the devices of its measurements. Throws NOT_FOUND. */
export async function reportedRecord(ctx: Context, stats: StatsSource, id: string) {
  const found = await findRecord(ctx, id)
  const record = await recordDetails(ctx, id)
  const spent = record.budget && (await spentOf(ctx, found, ctx.clock.now()))
  const deviceIds = [...new Set([...record.devices.map((device) => Number(device.id)), ...(spent?.deviceIds ?? [])])]
  const periods = new Map((await countedMembers(ctx, found)).map(({ id, own }) => [String(id), own]))
  const { verdict, unattended: without } = await recordStats(ctx, stats, found)
  return { record, verdict, unattended: without, periods, deviceIds }
}
