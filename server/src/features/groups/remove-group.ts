import { findGroup } from '../../core/groups/visible-groups.ts'
import type { Context } from '../../platform/context.ts'
import { auditSnapshot, target } from './present.ts'
import { deleteMembers, updateGroup } from './queries.ts'

/** Archived, so that evidence keeps the name; its devices stay, and alarms on it watch nothing by it any more. Throws NOT_FOUND. */
export async function removeGroup(ctx: Context, id: string): Promise<void> {
  const group = await findGroup(ctx, id, { lock: true })
  await deleteMembers(ctx, group.id)
  await updateGroup(ctx, group.id, { archived_at: ctx.clock.now() })
  ctx.audit({ action: 'groups.deleted', target: target(group), before: auditSnapshot(group) })
}
