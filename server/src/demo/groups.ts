import { giveLimits } from '../features/devices/set-limits.ts'
import { addGroup } from '../features/groups/add-group.ts'
import { changeGroup } from '../features/groups/change-group.ts'
import type { Services } from '../platform/services.ts'
import { asAdmin } from './actor.ts'

/** Gives a company without groups those of the demo: what is on the road, what stands still, and one that is private. */
export const ensureGroups = (services: Services, companyId: number): Promise<void> =>
  asAdmin(services, companyId, async (ctx) => {
    const known = await ctx.tx.selectFrom('groups').select('id').where('company_id', '=', companyId).limit(1).execute()
    if (known.length > 0) return
    const people = await ctx.tx
      .selectFrom('users')
      .select(['id', 'role'])
      .where('company_id', '=', companyId)
      .where('role', '<>', 'admin')
      .execute()
    const devices = await ctx.tx
      .selectFrom('devices')
      .select(['id', 'name', 'visibility'])
      .where('company_id', '=', companyId)
      .execute()
    const idsOf = (pattern: RegExp) => devices.filter(({ name }) => pattern.test(name)).map(({ id }) => String(id))
    const vaccines = await addGroup(ctx, {
      name: 'Vaccine stores',
      visibility: 'public',
      deviceIds: idsOf(/vaccine|pharmacy|medicines/i),
      userIds: people.map(({ id }) => id),
    })
    await changeGroup(ctx, giveLimits, vaccines.id, { limits: { preset: 'refrigerated' }, applyLimits: false })
    await addGroup(ctx, {
      name: 'On the road',
      visibility: 'public',
      deviceIds: idsOf(/van|truck|reefer|box/i),
      userIds: people.filter(({ role }) => role === 'manager').map(({ id }) => id),
    })
    await addGroup(ctx, {
      name: 'Freezers',
      visibility: 'private',
      deviceIds: idsOf(/freezer|FZR/),
      userIds: [],
    })
  })
