import { type EndpointChange, maxEndpoints, type NewEndpoint } from '@isotherm/contract/webhooks.ts'
import { switchOn } from '../../core/events/feed-queries.ts'
import { noteEvents } from '../../core/events/note-events.ts'
import type { Context } from '../../platform/context.ts'
import { refuseOutdated } from '../../platform/db/versions.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { checkAddress } from './check-address.ts'
import {
  cancelUnwanted,
  cancelWaiting,
  countEndpoints,
  type EndpointRow,
  endpointsOf,
  findEndpoint,
  insertEndpoint,
  lockEndpoint,
  updateEndpoint,
} from './endpoint-queries.ts'
import { auditSnapshot, target } from './present.ts'
import { firstSecret, rotateSecret } from './secrets.ts'

export interface WithSecret {
  row: EndpointRow
  /** Told this once. */
  secret: string
}

/** Adds an endpoint; from now on the company's events are written. Throws LIMIT_REACHED, or VALIDATION for its address. */
export async function addEndpoint(ctx: Context, input: NewEndpoint, path?: string): Promise<WithSecret> {
  const { config, secret: key } = ctx.services
  const now = ctx.clock.now()
  checkAddress(input.url, config, path)
  await switchOn(ctx, now)
  if ((await countEndpoints(ctx)) >= maxEndpoints) throw new AppError('LIMIT_REACHED', { limit: maxEndpoints })
  const { url, description, events, seesPrivate } = input
  const id = await insertEndpoint(ctx, {
    ...{ url, description, events, sees_private: seesPrivate, state: 'on', state_since: now },
    private_by: seesPrivate ? ctx.person.id : null,
    ...{ created_at: now, created_by: ctx.person.id, created_by_name: ctx.person.fullname },
  })
  const secret = await firstSecret(ctx, key, id, now)
  const row = await findEndpoint(ctx, id)
  ctx.audit({ action: 'webhooks.added', target: target(row), after: auditSnapshot(row) })
  return { row, secret }
}

type Change = Omit<EndpointChange, 'version'>

/**
 * Changes an endpoint; one that is switched on, or gets another address, begins anew, and what waits of events that it asks for no more is cancelled.
 * Throws NOT_FOUND, CHANGED_MEANWHILE or VALIDATION.
 */
export async function changeEndpoint(
  ctx: Context,
  id: string,
  { version, ...input }: Change & { version?: number },
  path?: string,
): Promise<EndpointRow> {
  const before = await lockEndpoint(ctx, id)
  if (version !== undefined) refuseOutdated({ name: target(before).name, version: before.version }, version)
  if (input.url !== undefined) checkAddress(input.url, ctx.services.config, path)
  const { seesPrivate, state, ...rest } = input
  const isElsewhere = input.url !== undefined && input.url !== before.url
  const isMoved = state !== undefined && state !== before.state
  await updateEndpoint(ctx, id, {
    ...rest,
    ...(seesPrivate === undefined ? {} : { sees_private: seesPrivate, private_by: seesPrivate ? ctx.person.id : null }),
    ...(isMoved ? { state, reason: null, state_since: ctx.clock.now() } : {}),
    // Failures of another address, or of before, do not count.
    ...(isMoved || isElsewhere ? { failing_since: null, failures: 0, warned_at: null } : {}),
  })
  if (input.events) await cancelUnwanted(ctx, id, input.events, ctx.clock.now())
  const after = await findEndpoint(ctx, id)
  ctx.audit({
    ...{ action: 'webhooks.changed', target: target(after) },
    ...{ before: auditSnapshot(before), after: auditSnapshot(after) },
  })
  return after
}

/** Removes an endpoint; what waits for it is cancelled. Throws NOT_FOUND. */
export async function removeEndpoint(ctx: Context, id: string): Promise<void> {
  const row = await lockEndpoint(ctx, id)
  const now = ctx.clock.now()
  await updateEndpoint(ctx, id, { archived_at: now })
  await cancelWaiting(ctx, id, now)
  ctx.audit({ action: 'webhooks.removed', target: target(row), before: auditSnapshot(row) })
}

/** Removes every endpoint of a company that ends. */
export async function removeEndpoints(ctx: Context): Promise<void> {
  for (const { id } of await endpointsOf(ctx)) await removeEndpoint(ctx, id)
}

/** Makes another secret; the one before signs beside it for a day. Throws NOT_FOUND or KEY_JUST_ROTATED. */
export async function rotateEndpoint(ctx: Context, id: string): Promise<WithSecret> {
  const before = await lockEndpoint(ctx, id)
  const secret = await rotateSecret(ctx, ctx.services.secret, id, ctx.clock.now())
  ctx.audit({ action: 'webhooks.rotated', target: target(before) })
  return { row: await findEndpoint(ctx, id), secret }
}

/** Writes a test event, which takes the way of all others. Throws NOT_FOUND, or ENDPOINT_OFF for an endpoint that is not on. */
export async function testEndpoint(ctx: Context, id: string): Promise<void> {
  const row = await lockEndpoint(ctx, id)
  if (row.state !== 'on') throw new AppError('ENDPOINT_OFF')
  const now = ctx.clock.now()
  await noteEvents(ctx.tx, [
    {
      ...{ companyId: ctx.companyId, type: 'webhook.test', key: `${id}:${now.getTime()}`, endpointId: id, at: now },
      data: { endpointId: id, text: `${ctx.person.fullname} asked for this test.` },
    },
  ])
  ctx.audit({ action: 'webhooks.tested', target: target(row) })
}
