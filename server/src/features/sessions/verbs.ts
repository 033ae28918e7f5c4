import { limits } from '@isotherm/contract/limits.ts'
import type { NewSession } from '@isotherm/contract/sessions.ts'
import { lockDevice } from '../../core/devices/lock-device.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, invalidField, orNotFound } from '../../platform/errors/app-error.ts'
import { refuseDisorder } from '../../platform/http/order-of-times.ts'
import { findSession, insertSession, type SessionRow, updateSession } from './queries.ts'

/** One session; throws NOT_FOUND, also where its device is not for the person. */
export const getSession = async (ctx: Context, id: string): Promise<SessionRow> =>
  orNotFound(await findSession(ctx, id))

/** Makes a session by hand. Throws NOT_FOUND, DEVICE_DECOMMISSIONED or VALIDATION. */
export async function createSession(ctx: Context, input: NewSession): Promise<SessionRow> {
  const device = await lockDevice(ctx, input.deviceId)
  const now = ctx.clock.now()
  const startedAt = input.startedAt ? new Date(input.startedAt) : now
  const endedAt = input.endedAt ? new Date(input.endedAt) : null
  if (startedAt > now) throw invalidField('startedAt', 'rule.inFuture')
  if (endedAt && endedAt > now) throw invalidField('endedAt', 'rule.inFuture')
  if (endedAt) refuseDisorder('startedAt', startedAt, endedAt)
  const longest = limits.maxPeriodDays
  if ((endedAt ?? now).getTime() - startedAt.getTime() > longest * 86_400_000)
    throw invalidField('startedAt', 'rule.periodTooLong', { limit: longest })
  if (!endedAt && device.decommissioned_at) throw new AppError('DEVICE_DECOMMISSIONED')
  const { id } = await insertSession(ctx, {
    company_id: ctx.companyId,
    device_id: device.id,
    name: input.name ?? null,
    opened_by: 'hand',
    started_at: startedAt,
    ended_at: endedAt,
    ended_by: endedAt ? 'hand' : null,
    created_at: now,
    created_by: ctx.person.fullname,
  })
  ctx.audit({
    action: 'devices.sessionMade',
    target: { kind: 'device', id: String(device.id), name: device.name },
    after: { session: id, name: input.name ?? null, from: startedAt.toISOString(), to: endedAt?.toISOString() ?? null },
  })
  return getSession(ctx, id)
}

/** Ends an open session now. Throws NOT_FOUND or SESSION_ENDED. */
export async function endSession(ctx: Context, id: string): Promise<SessionRow> {
  const row = orNotFound(await findSession(ctx, id, { lock: true }))
  if (row.ended_at) throw new AppError('SESSION_ENDED')
  const now = ctx.clock.now()
  // A device's clock may run ahead of ours: no session ends before it began.
  const endedAt = new Date(Math.max(now.getTime(), row.started_at.getTime()))
  await updateSession(ctx, id, { ended_at: endedAt, ended_by: 'hand' })
  ctx.audit({
    action: 'devices.sessionEnded',
    target: { kind: 'device', id: String(row.device_id), name: row.device_name },
    after: { session: id, to: endedAt.toISOString() },
  })
  return getSession(ctx, id)
}
