import type { Context, TenantTx } from '../../platform/context.ts'
import { noteRecord } from '../devices/settings-changes.ts'
import { insertDevices, insertRecord, leaveRecord } from './record-queries.ts'

type Timed = TenantTx & Pick<Context, 'clock'>

interface OpenedRecord {
  name: string
  lot: string | null
  /** contract/src/record-budget.ts Budget. */
  budget: unknown
  startAt: Date
  deviceIds: readonly number[]
  /** When they joined what began before them; nothing: they were there from the start. */
  joinedAt?: Date
  by: { id: string | null; name: string }
}

/** Begins a record that something else owns and ends: an order, a shipment. Others may overlap it, and it counts towards no quota. Returns its id. */
export async function openRecord(ctx: Timed, { budget, startAt, deviceIds, joinedAt, by, ...named }: OpenedRecord) {
  const now = ctx.clock.now()
  const { id } = await insertRecord(ctx, {
    ...named,
    company_id: ctx.companyId,
    state: 'running',
    start_at: startAt,
    budget: budget === null ? null : JSON.stringify(budget),
    created_at: now,
    created_by: by.id,
    created_by_name: by.name,
    updated_at: now,
  })
  await insertDevices(ctx, id, deviceIds, joinedAt)
  await noteRecord(ctx.tx, ctx.companyId, id)
  return id
}

/** Puts further devices into a record under way that something else owns, from an instant on. */
export async function addToRecord(
  ctx: TenantTx,
  recordId: string,
  deviceIds: readonly number[],
  joinedAt: Date,
): Promise<void> {
  await insertDevices(ctx, recordId, deviceIds, joinedAt)
  await noteRecord(ctx.tx, ctx.companyId, recordId)
}

/** Takes devices out of a record under way that something else owns, at an instant. */
export async function takeOutOfRecord(
  ctx: TenantTx,
  recordId: string,
  deviceIds: readonly number[],
  at: Date,
): Promise<void> {
  await leaveRecord(ctx, recordId, deviceIds, at)
  await noteRecord(ctx.tx, ctx.companyId, recordId)
}
