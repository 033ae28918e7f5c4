import type { Period } from '@isotherm/contract/common.ts'
import type { ChartQuery, GroupChart } from '@isotherm/contract/groups.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import type {
  RecordDetails,
  RecordQuery,
  RecordSignature,
  RecordStats,
  TrackRecord,
} from '@isotherm/contract/records.ts'
import type { StatsOfDevice, Verdict } from '@isotherm/contract/stats.ts'
import { sql } from 'kysely'
import type { Context } from '../../platform/http/context.ts'
import { changedParts, contentHash, type Parts, partsOf, type Touched, touchedAt } from './content-hash.ts'
import {
  type CountedRecord,
  countedRecord,
  pageOfRecords,
  presentRecord,
  type SignatureRow,
  signaturesOf,
} from './queries.ts'
import {
  findRecord,
  type MemberRow,
  membersOf,
  periodOf,
  type RecordRow,
  seenMembers,
  seesAllOf,
} from './record-visibility.ts'
import { spentOf } from './stability-budget.ts'

/** Exact statistics of one device, which another feature knows. The app puts it in. */
export type StatsSource = (ctx: Context, deviceId: number, period: Period) => Promise<StatsOfDevice>

/** Devices on one chart, which another feature draws. The app puts it in. */
export type ChartSource = (
  ctx: Context,
  deviceIds: readonly number[],
  wanted: Period & ChartQuery,
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
  return { data, meta: metaOf(query, total) }
}

async function lastSignature(ctx: Context, row: RecordRow, signatures: readonly SignatureRow[]) {
  const last = signatures.at(-1)
  if (!last) return null
  const changed = changedParts(last, signatures.at(-2) ?? null, await partsOf(ctx, row), await touchedAt(ctx, row.id))
  return {
    meaning: last.meaning as RecordSignature['meaning'],
    signerName: last.signer_name,
    isVoid: changed.length > 0,
  }
}

/** A record as lists show it. */
export async function presentOne(ctx: Context, id: string): Promise<TrackRecord> {
  const row = await countedRecord(ctx, id)
  return presentRecord(row, await lastSignature(ctx, row, await signaturesOf(ctx, [id])))
}

/** `previous`: the signature before it; `parts`: of the record as it is now. */
export const presentSignature = (
  row: SignatureRow,
  previous: SignatureRow | null,
  parts: Parts,
  touched: Touched,
): RecordSignature => ({
  id: row.id,
  meaning: row.meaning as RecordSignature['meaning'],
  reason: row.reason,
  signerName: row.signer_name,
  signerRole: row.signer_role,
  signedAt: row.signed_at.toISOString(),
  contentSha256: row.content_sha256.toString('hex'),
  sha256: row.sha256.toString('hex'),
  previousSha256: row.previous_sha256?.toString('hex') ?? null,
  changed: changedParts(row, previous, parts, touched),
})

/** All there is to a record but its statistics. Throws NOT_FOUND. */
export async function recordDetails(ctx: Context, id: string): Promise<RecordDetails> {
  return detailsOf(ctx, await countedRecord(ctx, (await findRecord(ctx, id)).id))
}

export async function detailsOf(ctx: Context, row: CountedRecord): Promise<RecordDetails> {
  const now = ctx.clock.now()
  const members = await membersOf(ctx, row)
  const seen = await seenMembers(ctx, row, members)
  const signatures = await signaturesOf(ctx, [row.id])
  const spent = await spentOf(ctx, row, now)
  const parts = row.state === 'ended' ? await partsOf(ctx, row, { budget: spent?.state ?? null }) : null
  const touched = await touchedAt(ctx, row.id)
  const presented = parts
    ? signatures.map((one, at) => presentSignature(one, signatures[at - 1] ?? null, parts, touched))
    : []
  const last = presented.at(-1)
  const isWhole = seen.length === members.length
  // A budget tells what was measured: it is for who sees all of that.
  const seesBudget = isWhole && spent !== null && (await seesAllOf(ctx, spent.earlier, spent.deviceIds))
  return {
    ...presentRecord(
      row,
      last ? { meaning: last.meaning, signerName: last.signerName, isVoid: last.changed.length > 0 } : null,
    ),
    ...periodOf(row, now),
    devices: await presentDevices(ctx, row, seen),
    hiddenDevices: members.length - seen.length,
    budget: seesBudget ? spent.state : null,
    ...(await papersOf(ctx, row.id)),
    signatures: presented,
    contentSha256: parts && isWhole ? contentHash(parts, signatures.at(-1)?.sha256 ?? null) : null,
  }
}

interface HardwareRow {
  device_id: number
  imei: string
  probe: number
  valid_from: Date
  valid_to: Date | null
}

async function presentDevices(ctx: Context, record: RecordRow, members: readonly MemberRow[]) {
  const { from, to } = periodOf(record, ctx.clock.now())
  const { rows } = await sql<HardwareRow>`
    select device_id, imei, probe, valid_from, valid_to from assignments
    where company_id = ${ctx.companyId} and device_id = any(${members.map(({ id }) => id)}::int4[])
      and valid_from <= ${to}::timestamptz and (valid_to is null or valid_to > ${from}::timestamptz)
    order by valid_from`.execute(ctx.tx)
  const hardware = Map.groupBy(rows, (row) => row.device_id)
  return members.map((member) => ({
    id: String(member.id),
    name: member.name,
    decommissionedAt: member.decommissioned_at?.toISOString() ?? null,
    hardware: (hardware.get(member.id) ?? []).map((row) => ({
      imei: row.imei,
      probe: row.probe,
      from: row.valid_from.toISOString(),
      to: row.valid_to?.toISOString() ?? null,
    })),
  }))
}

async function papersOf(ctx: Context, recordId: string): Promise<Pick<RecordDetails, 'notes' | 'attachments'>> {
  const [notes, attachments] = await Promise.all([
    ctx.tx
      .selectFrom('record_notes')
      .selectAll()
      .where('company_id', '=', ctx.companyId)
      .where('record_id', '=', recordId)
      .where('removed_at', 'is', null)
      .orderBy('id')
      .execute(),
    ctx.tx
      .selectFrom('record_attachments')
      .selectAll()
      .where('company_id', '=', ctx.companyId)
      .where('record_id', '=', recordId)
      .where('removed_at', 'is', null)
      .orderBy('id')
      .execute(),
  ])
  return {
    notes: notes.map((row) => ({
      id: row.id,
      text: row.text,
      by: row.created_by_name,
      at: row.created_at.toISOString(),
    })),
    attachments: attachments.map((row) => ({
      id: row.id,
      name: row.name,
      type: row.type as RecordDetails['attachments'][number]['type'],
      sizeBytes: row.size_bytes,
      sha256: row.sha256.toString('hex'),
      by: row.created_by_name,
      at: row.created_at.toISOString(),
    })),
  }
}

const worstFirst: Verdict[] = ['outOfRange', 'incomplete', 'noData', 'noLimits', 'inRange']

/** The verdict of a device, by measures that were measured or have limits; humidity that was never measured does not count. */
export const verdictOfDevice = ({ temperature, humidity }: StatsOfDevice): Verdict =>
  worst(
    humidity.count === 0 && humidity.verdict === 'noData'
      ? [temperature.verdict]
      : [temperature.verdict, humidity.verdict],
  )

/** `noLimits` of one measure says nothing where another has limits. */
function worst(verdicts: readonly Verdict[]): Verdict {
  const judged = verdicts.filter((verdict) => verdict !== 'noLimits')
  return worstFirst.find((verdict) => (judged.length > 0 ? judged : verdicts).includes(verdict)) ?? 'noData'
}

/** The figures of each device through the record, and the worst of their verdicts. */
export async function recordStats(ctx: Context, stats: StatsSource, record: RecordRow): Promise<RecordStats> {
  const period = periodOf(record, ctx.clock.now())
  const devices: RecordStats['devices'] = []
  for (const { id, name } of await seenMembers(ctx, record, await membersOf(ctx, record)))
    devices.push({ deviceId: String(id), name, ...(await stats(ctx, id, period)) })
  const verdicts = devices.map(verdictOfDevice)
  // A device without limits among judged ones is a gap in the evidence.
  const isMixed = verdicts.includes('noLimits') && verdicts.some((verdict) => verdict === 'inRange')
  return { verdict: isMixed && worst(verdicts) === 'inRange' ? 'incomplete' : worst(verdicts), devices }
}

/** Its devices that the person sees, on one chart. */
export async function recordChart(ctx: Context, chart: ChartSource, record: RecordRow, query: ChartQuery) {
  const members = await seenMembers(ctx, record, await membersOf(ctx, record))
  return chart(
    ctx,
    members.map(({ id }) => id),
    { ...periodOf(record, ctx.clock.now()), ...query },
  )
}

/** A report's facts about the record itself, and the devices of its measurements. Throws NOT_FOUND. */
export async function reportedRecord(ctx: Context, stats: StatsSource, id: string) {
  const found = await findRecord(ctx, id)
  const record = await recordDetails(ctx, id)
  const spent = record.budget && (await spentOf(ctx, found, ctx.clock.now()))
  const deviceIds = [...new Set([...record.devices.map((device) => Number(device.id)), ...(spent?.deviceIds ?? [])])]
  return { record, verdict: (await recordStats(ctx, stats, found)).verdict, deviceIds }
}
