import { findGroup } from '../../core/groups/visible-groups.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { namesOfUsers } from './member-queries.ts'
import { target } from './present.ts'
import { putUsers } from './put-members.ts'

/** Puts a person of the company into a group. Throws NOT_FOUND, GROUP_FULL or VALIDATION. */
export async function addUser(ctx: Context, groupId: string, userId: string): Promise<void> {
  const group = await findGroup(ctx, groupId, { lock: true })
  const [user] = await namesOfUsers(ctx, [userId])
  if (user === undefined) throw new AppError('NOT_FOUND')
  await putUsers(ctx, group.id, [userId])
  ctx.audit({ action: 'groups.userAdded', target: target(group), after: { user } })
}
