import type { DeviceShare, GroupShare, ShareLinkKind, WallChange, WallScreen } from '@isotherm/contract/share-links.ts'
import { deviceIdOf, findVisible } from '../../core/devices/visible-devices.ts'
import { findGroup } from '../../core/groups/visible-groups.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import { newToken, tokenHash } from '../../platform/auth/tokens.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { checkShowsPrivate } from './policy.ts'
import { auditSnapshot, target } from './present.ts'
import { changeLink, findLink, insertLink, revokeLink, type ShareLinkRow } from './queries.ts'

/** A link as it was made; the token is known here only. */
export interface MadeLink {
  row: ShareLinkRow
  token: string
}

/** Makes a link of a device. It goes on showing a private device only if that was private when the link was made. Throws NOT_FOUND or QUOTA_EXCEEDED. */
export async function shareDevice(ctx: Context, id: string, input: DeviceShare): Promise<MadeLink> {
  const device = await findVisible(ctx, deviceIdOf(id))
  if (device.isDecommissioned) throw new AppError('NOT_FOUND')
  return make(ctx, {
    ...{ kind: 'device', device_id: device.id, shows_private: device.isPrivate },
    ...shown(input),
  })
}

/** Makes a link of a group. Throws NOT_FOUND, VALIDATION or QUOTA_EXCEEDED. */
export async function shareGroup(ctx: Context, id: string, input: GroupShare): Promise<MadeLink> {
  const group = await findGroup(ctx, id)
  checkShowsPrivate(ctx, input.showsPrivate)
  return make(ctx, {
    ...{ kind: 'group', group_ids: [group.id], shows_private: input.showsPrivate },
    ...shown(input),
  })
}

/** Makes the link of a wall screen. Throws NOT_FOUND where a group is not there, or QUOTA_EXCEEDED. */
export async function addWall(ctx: Context, { label, hours, ...shown }: WallScreen): Promise<MadeLink> {
  return make(ctx, { kind: 'wall', shows_chart: true, ...(await wallFacts(ctx, shown)), label, hours })
}

/**
 * Changes a wall screen: its link stays good, and an open screen follows when it asks the next time. It goes on showing what the
 * person who made it sees. Throws NOT_FOUND, also where a group that is added is not there.
 */
export async function changeWall(ctx: Context, id: string, { label, ...change }: WallChange): Promise<ShareLinkRow> {
  const before = orNotFound(await findLink(ctx, 'wall', id))
  const values = { ...(label !== undefined && { label }), ...(await wallFacts(ctx, change, before)) }
  if (Object.keys(values).length === 0) return before
  await changeLink(ctx, before.id, values)
  const after = orNotFound(await findLink(ctx, 'wall', id))
  ctx.audit({
    action: 'shareLinks.changed',
    target: target(after),
    before: auditSnapshot(before),
    after: auditSnapshot(after),
  })
  return after
}

/** The columns of what a wall shows, as far as it is given. Groups that it had already are not looked for: they may be gone by now. */
async function wallFacts(
  ctx: Context,
  { groupIds, showsPrivate, turnS }: Omit<WallChange, 'label'>,
  before?: ShareLinkRow,
) {
  checkShowsPrivate(ctx, showsPrivate ?? false)
  for (const id of groupIds ?? []) if (!before?.group_ids.includes(id)) await findGroup(ctx, id)
  return {
    ...(groupIds && { group_ids: [...new Set(groupIds)] }),
    ...(showsPrivate !== undefined && { shows_private: showsPrivate }),
    ...(turnS !== undefined && { turn_s: turnS }),
  }
}

const shown = ({ label, hours, showsPosition, showsChart }: DeviceShare) => ({
  ...{ label, hours },
  ...{ shows_position: showsPosition, shows_chart: showsChart },
})

interface Facts {
  kind: ShareLinkKind
  label: string
  hours: number | null
  device_id?: number
  group_ids?: string[]
  shows_private?: boolean
  turn_s?: number | null
  shows_position?: boolean
  shows_chart?: boolean
}

async function make(ctx: Context, { hours, ...facts }: Facts): Promise<MadeLink> {
  await refuseOverQuota(ctx, 'shareLinks')
  const token = newToken()
  const now = ctx.clock.now()
  const id = await insertLink(ctx, {
    ...facts,
    company_id: ctx.companyId,
    token_hash: tokenHash(token),
    user_id: ctx.person.id,
    created_at: now,
    expires_at: hours === null ? null : new Date(now.getTime() + hours * 3_600_000),
  })
  const row = orNotFound(await findLink(ctx, facts.kind, id))
  ctx.audit({ action: 'shareLinks.made', target: target(row), after: auditSnapshot(row) })
  return { row, token }
}

/** Revokes a link at once. Throws NOT_FOUND, also where the person may not see its device or group. */
export async function revoke(ctx: Context, kind: ShareLinkKind, id: string): Promise<void> {
  const row = orNotFound(await findLink(ctx, kind, id))
  if (row.device_id !== null) await findVisible(ctx, row.device_id)
  if (kind === 'group') for (const groupId of row.group_ids) await findGroup(ctx, groupId)
  if (!(await revokeLink(ctx, row.id))) throw new AppError('NOT_FOUND')
  ctx.audit({ action: 'shareLinks.revoked', target: target(row), before: auditSnapshot(row) })
}
