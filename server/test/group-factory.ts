import { changing } from './changed.ts'
import type { Stage } from './factories.ts'

interface GroupSpec {
  name?: string
  visibility?: 'private' | 'public'
  deviceIds?: number[]
  userIds?: string[]
  /** When they joined; default: now. */
  joinedAt?: Date
}

let count = 0

/** A group as its verb leaves it. */
export function buildGroup({ pool, clock }: Stage, { companyId }: { companyId: number }, spec: GroupSpec = {}) {
  count += 1
  const name = spec.name ?? `Group ${count}`
  const now = clock.now()
  const member = { company_id: companyId, added_at: spec.joinedAt ?? now }
  return changing(pool, companyId, async ({ tx }) => {
    const { id } = await tx
      .insertInto('groups')
      .values({
        company_id: companyId,
        name,
        visibility: spec.visibility ?? 'public',
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const device_id of spec.deviceIds ?? [])
      await tx
        .insertInto('group_devices')
        .values({ ...member, group_id: id, device_id })
        .execute()
    for (const user_id of spec.userIds ?? [])
      await tx
        .insertInto('group_users')
        .values({ ...member, group_id: id, user_id })
        .execute()
    return { id, name }
  })
}
