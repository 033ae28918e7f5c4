import type { Period } from '@isotherm/contract/common.ts'
import type { Device } from '@isotherm/contract/devices.ts'
import type { Group } from '@isotherm/contract/groups.ts'
import type { GroupReader } from '../../core/groups/group-reader.ts'
import { findGroup } from '../../core/groups/visible-groups.ts'
import type { Context } from '../../platform/context.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { drawGroup } from './chart.ts'
import { memberOf, presentGroup } from './present.ts'
import { countedDevices, countedGroup } from './queries.ts'
import { totalsOf } from './totals.ts'

export const spanOf = ({ from, to }: Period) => ({ from: Date.parse(from), to: Date.parse(to) })

/** A group that the person may see; throws NOT_FOUND for any other. */
export async function readGroup(ctx: Context, id: string): Promise<Group> {
  const row = orNotFound(await countedGroup(ctx, id))
  return presentGroup(row)
}

/** `devicesByIds` is of the feature that knows devices. */
export const groupReader = (devicesByIds: (ctx: Context, ids: number[]) => Promise<Device[]>): GroupReader => ({
  group: readGroup,
  async devices(ctx, id) {
    const group = await findGroup(ctx, id)
    return (await devicesByIds(ctx, await countedDevices(ctx, group.id))).map(memberOf)
  },
  totals: async (ctx, id, period, measure) => totalsOf(ctx, (await findGroup(ctx, id)).id, measure, spanOf(period)),
  chart: async (ctx, id, drawing) => drawGroup(ctx, await findGroup(ctx, id), drawing),
})
