import { CompiledQuery, type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Context, TenantTx } from '../../platform/context.ts'
import { firstRow } from '../../platform/db/rows.ts'
import type { Records } from '../../platform/db/schema.ts'
import { noteRecord } from '../devices/settings-changes.ts'
import { noteEvents } from '../events/note-events.ts'
import { type EndedRow, endedText, recordEnded } from './record-ended.ts'

export type RecordRow = Selectable<Records>

export const insertRecord = (ctx: TenantTx, row: Insertable<Records>): Promise<RecordRow> =>
  ctx.tx.insertInto('records').values(row).returningAll().executeTakeFirstOrThrow()

/** Puts devices into a record; those that join it under way, from an instant on. */
export const insertDevices = (
  ctx: TenantTx,
  recordId: string,
  deviceIds: readonly number[],
  joinedAt: Date | null = null,
) =>
  sql`insert into record_devices (company_id, record_id, device_id, joined_at)
    select ${ctx.companyId}, ${recordId}::int8, id, ${joinedAt}::timestamptz from unnest(${deviceIds}::int4[]) as id
    on conflict do nothing`.execute(ctx.tx)

/** Takes devices out of a record under way: what they measured in it stays. */
export const leaveRecord = (ctx: TenantTx, recordId: string, deviceIds: readonly number[], at: Date) =>
  sql`update record_devices set left_at = greatest(${at}::timestamptz, joined_at + interval '1 millisecond')
    where company_id = ${ctx.companyId} and record_id = ${recordId}::int8 and device_id = any(${deviceIds}::int4[])`.execute(
    ctx.tx,
  )

export async function updateRecord(
  ctx: TenantTx & Pick<Context, 'clock'>,
  id: string,
  values: Updateable<Records>,
): Promise<void> {
  await ctx.tx
    .updateTable('records')
    .set({ ...values, updated_at: ctx.clock.now() })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute()
  await noteRecord(ctx.tx, ctx.companyId, id)
  if (values.state === 'ended') await tellEnd(ctx, id)
}

async function tellEnd({ tx, companyId, clock }: TenantTx & Pick<Context, 'clock'>, id: string): Promise<void> {
  const { rows } = await tx.executeQuery(CompiledQuery.raw(endedText, [companyId, id]))
  await noteEvents(
    tx,
    (rows as EndedRow[]).map((row) => recordEnded(row, clock.now())),
  )
}

/** Makes the record of a shipment run again whose end never was. */
export async function reopenRecord(ctx: TenantTx & Pick<Context, 'clock'>, id: string): Promise<void> {
  await sql`update records set state = 'running', ended_by = null, end_at = null, updated_at = ${ctx.clock.now()}
    where company_id = ${ctx.companyId} and id = ${id}::int8 and state = 'ended'`.execute(ctx.tx)
  await noteRecord(ctx.tx, ctx.companyId, id)
}

/** Has the record of a shipment begin, or end, at another instant: it lasts at least a millisecond. */
export async function moveRecord(
  ctx: TenantTx & Pick<Context, 'clock'>,
  id: string,
  { startAt = null, endAt = null }: { startAt?: Date | null; endAt?: Date | null },
): Promise<void> {
  await sql`update records set updated_at = ${ctx.clock.now()}, start_at = coalesce(${startAt}::timestamptz, start_at),
      end_at = case when ${endAt}::timestamptz is null then end_at
        else greatest(${endAt}::timestamptz, start_at + interval '1 millisecond') end
    where company_id = ${ctx.companyId} and id = ${id}::int8`.execute(ctx.tx)
  await noteRecord(ctx.tx, ctx.companyId, id)
}

/** Whether somebody has signed a record. It is locked until the transaction ends: whoever signs locks it, too. */
export const isSigned = async ({ tx, companyId }: TenantTx, id: string): Promise<boolean> => {
  await firstRow(tx)`select from records where company_id = ${companyId} and id = ${id}::int8 for no key update`
  const signature = await firstRow(
    tx,
  )`select from record_signatures where company_id = ${companyId} and record_id = ${id}::int8 limit 1`
  return signature !== undefined
}

/** Ends the record of an order at an instant: it lasts at least a millisecond. Readings of before count, however late they come. */
export async function closeRecord(ctx: TenantTx & Pick<Context, 'clock'>, id: string, endAt: Date): Promise<void> {
  await sql`update records set state = 'ended', ended_by = 'hand', updated_at = ${ctx.clock.now()},
      end_at = greatest(${endAt}::timestamptz, start_at + interval '1 millisecond')
    where company_id = ${ctx.companyId} and id = ${id}::int8`.execute(ctx.tx)
  await noteRecord(ctx.tx, ctx.companyId, id)
  await tellEnd(ctx, id)
}
