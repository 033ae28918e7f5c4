import { limits } from '@isotherm/contract/limits.ts'
import type { FenceArea } from '@isotherm/contract/places.ts'
import type { NewGroupRecord, NewRecord } from '@isotherm/contract/records.ts'
import { recordLimits } from '@isotherm/contract/records.ts'
import { type RawBuilder, sql } from 'kysely'
import { lockDevices } from '../../platform/devices/lock-device.ts'
import { noteRecord } from '../../platform/devices/settings-changes.ts'
import { deviceIdOf, visibleSql } from '../../platform/devices/visible-devices.ts'
import { AppError, invalidField } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'
import { refuseDisorder } from '../../platform/http/order-of-times.ts'
import { refuseOverQuota } from '../../platform/quotas/quotas.ts'
import { findRecord, membersOf, type RecordRow, target, visibleRecordSql } from './record-visibility.ts'

/** A group as records need it; the app says who may see which. */
export interface RecordGroup {
  id: string
  name: string
}

interface Window {
  startAt: Date
  endAt: Date | null
  state: 'planned' | 'running' | 'ended'
}

/** The window that is asked for; throws a 422. Longer than history can be asked for, it could not be shown. */
function windowFor(ctx: Context, input: Pick<NewGroupRecord, 'startAt' | 'endAt'>): Window {
  const now = ctx.clock.now()
  const startAt = input.startAt ? new Date(input.startAt) : now
  const endAt = input.endAt ? new Date(input.endAt) : null
  if (endAt) refuseDisorder('startAt', startAt, endAt)
  const longest = limits.maxPeriodDays * 86_400_000
  if ((endAt ?? now).getTime() - startAt.getTime() > longest)
    throw invalidField('endAt', 'rule.periodTooLong', { limit: limits.maxPeriodDays })
  if (startAt.getTime() - now.getTime() > 366 * 86_400_000) throw invalidField('startAt', 'rule.recordTooFar')
  const state = startAt > now ? 'planned' : endAt && endAt <= now ? 'ended' : 'running'
  return { startAt, endAt, state }
}

async function destinationOf(ctx: Context, id: string | undefined, state: Window['state']) {
  if (id === undefined) return null
  // One that is over has arrived, or never will.
  if (state === 'ended') throw invalidField('destinationId', 'rule.recordOver')
  const fence = await ctx.tx
    .selectFrom('geofences')
    .select(['id', 'name', 'area'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!fence) throw invalidField('destinationId', 'rule.unknownItem')
  return { geofenceId: fence.id, name: fence.name, area: fence.area as unknown as FenceArea }
}

/** Makes a record of devices the person may see. Throws NOT_FOUND, RECORD_OVERLAPS or a 422. */
export async function addRecord(ctx: Context, input: NewRecord): Promise<string> {
  const ids = [...new Set(input.deviceIds.map(deviceIdOf))]
  const window = windowFor(ctx, input)
  const seen = await lockDevices(ctx, ids)
  if (seen.length !== ids.length) throw invalidField('deviceIds', 'rule.unknownItem')
  const isGone = ({ decommissioned_at: at }: (typeof seen)[number]) =>
    at !== null && (window.state !== 'ended' || at <= window.startAt)
  if (seen.some(isGone)) throw new AppError('DEVICE_DECOMMISSIONED')
  return insertRecord(ctx, input, window, null, ids)
}

/** The same for a group; its devices are fixed when it begins: now, or by the sweep at its time. */
export async function addGroupRecord(ctx: Context, group: RecordGroup, input: NewGroupRecord): Promise<string> {
  const window = windowFor(ctx, input)
  const ids = await groupDevices(ctx, group.id)
  if (ids.length > recordLimits.groupDevices)
    throw invalidField('name', 'rule.recordTooLarge', { limit: recordLimits.groupDevices })
  if (ids.length === 0 && window.state !== 'planned') throw invalidField('name', 'rule.groupEmpty')
  return insertRecord(ctx, input, window, group, ids)
}

async function groupDevices(ctx: Context, groupId: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select d.id from group_devices m join devices d on d.company_id = m.company_id and d.id = m.device_id
    where m.company_id = ${ctx.companyId} and m.group_id = ${groupId}::int8 and d.decommissioned_at is null
    order by d.id for no key update of d`.execute(ctx.tx)
  return rows.map(({ id }) => id)
}

async function insertRecord(
  ctx: Context,
  input: NewGroupRecord,
  window: Window,
  group: RecordGroup | null,
  deviceIds: number[],
): Promise<string> {
  await refuseOverlap(ctx, input, window, deviceIds)
  const destination = await destinationOf(ctx, input.destinationId, window.state)
  await refuseOverQuota(ctx, 'records')
  const now = ctx.clock.now()
  const row = await ctx.tx
    .insertInto('records')
    .values({
      company_id: ctx.companyId,
      group_id: group?.id ?? null,
      name: input.name,
      lot: input.lot ?? null,
      state: window.state,
      start_at: window.startAt,
      end_at: window.endAt,
      ended_by: window.state === 'ended' ? 'hand' : null,
      destination: destination && JSON.stringify(destination),
      budget: input.budget ? JSON.stringify(input.budget) : null,
      created_at: now,
      created_by: ctx.person.id,
      created_by_name: ctx.person.fullname,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (group === null || window.state !== 'planned') await insertDevices(ctx, row.id, deviceIds)
  await noteRecord(ctx.tx, ctx.companyId, row.id)
  if (input.note)
    await ctx.tx
      .insertInto('record_notes')
      .values({
        company_id: ctx.companyId,
        record_id: row.id,
        text: input.note,
        created_at: now,
        created_by: ctx.person.id,
        created_by_name: ctx.person.fullname,
      })
      .execute()
  ctx.audit({ action: 'records.made', target: target(row), after: { ...kept(row), devices: deviceIds.map(String) } })
  return row.id
}

const insertDevices = (ctx: Context, recordId: string, deviceIds: number[]) =>
  sql`insert into record_devices (company_id, record_id, device_id)
    select ${ctx.companyId}, ${recordId}::int8, id from unnest(${deviceIds}::int4[]) as id
    on conflict do nothing`.execute(ctx.tx)

export const kept = (row: RecordRow) => ({
  name: row.name,
  lot: row.lot,
  state: row.state,
  startAt: row.start_at.toISOString(),
  endAt: row.end_at?.toISOString() ?? null,
  destination: (row.destination as { name?: string } | null)?.name ?? null,
  budget: row.budget,
})

/**
 * A device may be in several records at once, for different purposes; not in two of the same name or lot at the same time:
 * that is one trip entered twice. Throws RECORD_OVERLAPS or RECORD_OVERLAPS_UNSEEN.
 */
async function refuseOverlap(
  ctx: Context,
  { name, lot }: { name: string; lot?: string | undefined },
  { startAt, endAt }: Pick<Window, 'startAt' | 'endAt'>,
  deviceIds: readonly number[],
): Promise<void> {
  await refuseFound(
    ctx,
    deviceIds,
    sql`(lower(r.name) = lower(${name}::text) or lower(r.lot) = lower(${lot ?? null}::text))
      and (r.start_at < ${endAt}::timestamptz) is not false and (r.end_at is null or r.end_at > ${startAt})`,
  )
}

/** Throws what overlaps, and names it where the person sees both the device and the record. */
async function refuseFound(
  ctx: Context,
  deviceIds: readonly number[],
  overlapping: RawBuilder<unknown>,
): Promise<void> {
  const { rows } = await sql<{ name: string; device: string; isSeen: boolean }>`
    select r.name, d.name as device, (${visibleSql(ctx)} and ${visibleRecordSql(ctx)}) as "isSeen" from records r
    join record_devices m on m.company_id = r.company_id and m.record_id = r.id
    join devices d on d.company_id = m.company_id and d.id = m.device_id
    where r.company_id = ${ctx.companyId} and r.archived_at is null and m.device_id = any(${deviceIds}::int4[])
      and ${overlapping} order by 3 desc, r.id limit 1`.execute(ctx.tx)
  const [found] = rows
  if (found?.isSeen) throw new AppError('RECORD_OVERLAPS', { record: found.name, device: found.device })
  if (found) throw new AppError('RECORD_OVERLAPS_UNSEEN')
}

/** Begins a planned record now. Throws NOT_FOUND, RECORD_STARTED or RECORD_OVERLAPS. */
export async function startRecord(ctx: Context, id: string): Promise<void> {
  const record = await findRecord(ctx, id, { lock: true })
  if (record.state !== 'planned') throw new AppError('RECORD_STARTED')
  const now = ctx.clock.now()
  if (record.end_at && record.end_at <= now) throw new AppError('RECORD_ENDED')
  if (record.group_id !== null) {
    const ids = await groupDevices(ctx, record.group_id)
    if (ids.length === 0) throw new AppError('RECORD_EMPTY')
    await insertDevices(ctx, id, ids)
  }
  // It begins earlier now than was planned: others may lie in between.
  const ids = (await membersOf(ctx, { ...record, state: 'running' })).map((member) => member.id)
  await refuseOverlapOfOthers(ctx, record, now, ids)
  await change(ctx, record, { state: 'running', start_at: now })
  ctx.audit({ action: 'records.started', target: target(record), after: { startAt: now.toISOString() } })
}

async function refuseOverlapOfOthers(ctx: Context, record: RecordRow, startAt: Date, ids: number[]) {
  await refuseFound(
    ctx,
    ids,
    sql`r.id <> ${record.id}::int8
      and (lower(r.name) = lower(${record.name}::text) or lower(r.lot) = lower(${record.lot}::text))
      and r.start_at < ${record.start_at} and (r.end_at is null or r.end_at > ${startAt})`,
  )
}

/** Ends a running record now. Throws NOT_FOUND, RECORD_NOT_STARTED or RECORD_ENDED. */
export async function endRecord(ctx: Context, id: string): Promise<void> {
  const record = await findRecord(ctx, id, { lock: true })
  const now = ctx.clock.now()
  if (record.state === 'planned') throw new AppError('RECORD_NOT_STARTED')
  // One whose time came is over, though the sweep has not said so yet.
  if (record.state === 'ended' || (record.end_at && record.end_at <= now)) throw new AppError('RECORD_ENDED')
  const endAt = new Date(Math.max(now.getTime(), record.start_at.getTime() + 1))
  await change(ctx, record, { state: 'ended', ended_by: 'hand', end_at: endAt })
  ctx.audit({ action: 'records.ended', target: target(record), after: { endAt: endAt.toISOString(), by: 'hand' } })
}

/** Deletes a record that nobody has signed: signed evidence stays. Throws NOT_FOUND or RECORD_SIGNED. */
export async function removeRecord(ctx: Context, id: string): Promise<void> {
  const record = await findRecord(ctx, id, { lock: true })
  const signed = await ctx.tx
    .selectFrom('record_signatures')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('record_id', '=', id)
    .executeTakeFirst()
  if (signed) throw new AppError('RECORD_SIGNED')
  await change(ctx, record, { archived_at: ctx.clock.now() })
  ctx.audit({ action: 'records.removed', target: target(record), before: kept(record) })
}

async function change(
  ctx: Context,
  record: RecordRow,
  values: Partial<Omit<RecordRow, 'id' | 'company_id' | 'budget' | 'destination'>>,
): Promise<void> {
  await ctx.tx
    .updateTable('records')
    .set({ ...values, updated_at: ctx.clock.now() })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', record.id)
    .execute()
  await noteRecord(ctx.tx, ctx.companyId, record.id)
}
