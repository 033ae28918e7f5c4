import type { LiveTrigger } from '@isotherm/contract/live.ts'
import { AppError } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'
import { findTriggers, lockTriggers, type TriggerRow } from './trigger-queries.ts'

type Action = 'acknowledge' | 'resolve'

interface HandlingRequest {
  action: Action
  note?: string | undefined
}

/** Recipients may acknowledge; to resolve needs the permission. */
function mayHandle(ctx: Context, row: TriggerRow, action: Action): boolean {
  return ctx.can('alarms.addOrEdit') || (action === 'acknowledge' && row.is_recipient)
}

const isDue = (row: TriggerRow, action: Action) =>
  action === 'acknowledge'
    ? row.opened_at !== null && row.acknowledged_at === null && row.resolved_at === null
    : row.opened_at !== null && row.resolved_at === null

/** Handles one trigger. A second click changes nothing; the first name stays. Throws NOT_FOUND, NOT_TOLD, TRIGGER_PENDING. */
export async function handleTrigger(ctx: Context, id: string, wanted: HandlingRequest): Promise<TriggerRow> {
  await lockTriggers(ctx, [id])
  const [row] = await findTriggers(ctx, [id])
  if (!row) throw new AppError('NOT_FOUND')
  if (!mayHandle(ctx, row, wanted.action)) throw new AppError('NOT_TOLD')
  if (row.opened_at === null) throw new AppError('TRIGGER_PENDING')
  if (isDue(row, wanted.action)) await write(ctx, row, wanted)
  const [after] = await findTriggers(ctx, [id])
  return after ?? row
}

/** Several at once: those that are over already, or not the person's to handle, stay as they are. */
export async function handleTriggers(ctx: Context, ids: readonly string[], wanted: HandlingRequest) {
  await lockTriggers(ctx, ids)
  const rows = await findTriggers(ctx, ids)
  const due = rows.filter((row) => isDue(row, wanted.action) && mayHandle(ctx, row, wanted.action))
  for (const row of due) await write(ctx, row, wanted)
  const changed = new Set(due.map(({ id }) => id))
  return { changed: [...changed], unchanged: ids.filter((id) => !changed.has(id)) }
}

const targetOf = (row: TriggerRow) => ({
  kind: 'trigger',
  id: row.id,
  name: (row.names as unknown as { device: string }).device,
})

async function write(ctx: Context, row: TriggerRow, { action, note }: HandlingRequest): Promise<void> {
  const now = ctx.clock.now()
  const by = JSON.stringify({ id: ctx.person.id, name: ctx.person.fullname })
  const acknowledged = row.acknowledged_at ? {} : { acknowledged_at: now, acknowledged_by: by }
  const resolved = action === 'resolve' ? { resolved_at: now, resolved_by: by } : {}
  await ctx.tx
    .updateTable('alarm_triggers')
    .set({
      ...acknowledged,
      ...resolved,
      ...(note ? { note } : {}),
      shelved: false,
      remind_at: null,
      escalate_at: null,
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', row.id)
    .execute()
  ctx.audit({
    action: action === 'resolve' ? 'alarms.triggerResolved' : 'alarms.triggerAcknowledged',
    target: targetOf(row),
    before: { state: row.state },
    after: {
      state: action === 'resolve' ? 'resolved' : 'acknowledged',
      alarm: (row.names as unknown as { alarm: string }).alarm,
    },
    ...(note ? { reason: note } : {}),
  })
  announce(ctx, row, action === 'resolve' ? 'resolved' : row.normal_at ? 'normal' : 'acknowledged')
}

function announce(ctx: Context, row: TriggerRow, state: LiveTrigger['state']) {
  const data: LiveTrigger = {
    id: row.id,
    deviceId: String(row.device_id),
    alarmId: row.alarm_id,
    severity: row.severity === 'critical' ? 'critical' : 'warning',
    state,
  }
  const about = { companyId: ctx.companyId, kind: 'trigger' as const, deviceId: row.device_id }
  ctx.afterCommit(() => ctx.services.bus.publish({ ...about, alarmIsPrivate: row.alarm_is_private, data }))
}
