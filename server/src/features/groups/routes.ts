import type { Period } from '@isotherm/contract/common.ts'
import { Measure } from '@isotherm/contract/device-limits.ts'
import type { Device } from '@isotherm/contract/devices.ts'
import type { GroupStats, groups } from '@isotherm/contract/groups.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import type { MeasureStats } from '@isotherm/contract/stats.ts'
import { findGroup, worstMembers } from '../../core/groups/visible-groups.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { addDevice, addDevices } from './add-devices.ts'
import { addGroup } from './add-group.ts'
import { addUser } from './add-user.ts'
import { changeGroup } from './change-group.ts'
import { compareDevices, drawGroup } from './chart.ts'
import { groupDevicesCsv, groupsCsv } from './csv.ts'
import { overviewOf } from './overview.ts'
import type { GiveLimits } from './policy.ts'
import { memberOf, presentGroup, presentMember } from './present.ts'
import { countedGroup, findMember, listGroups, pageOfDevices, pageOfUsers } from './queries.ts'
import { readGroup, spanOf } from './reader.ts'
import { removeGroup } from './remove-group.ts'
import { removeDevices, removeUsers } from './remove-members.ts'
import { totalsOf } from './totals.ts'

/** Functions of other features about a group's devices. The app hands them in. */
export interface GroupParts {
  /** The visible ones of these, in their order. */
  devices(ctx: Context, ids: number[]): Promise<Device[]>
  giveLimits: GiveLimits
  stats(
    ctx: Context,
    deviceId: number,
    period: Period,
    measure: Measure,
  ): Promise<{ name: string; stats: MeasureStats }>
}

const dayMs = 86_400_000
function lastDay(ctx: Context): Period {
  const now = ctx.clock.now()
  return { from: new Date(now.getTime() - dayMs).toISOString(), to: now.toISOString() }
}

interface Page {
  page: number
  perPage: number
}

async function statsPage(
  ctx: Context,
  parts: GroupParts,
  id: string,
  paging: Page,
  period: Period,
  measure: Measure,
): Promise<GroupStats> {
  const group = await findGroup(ctx, id)
  const [{ ids, total }, totals] = await Promise.all([
    pageOfDevices(ctx, group.id, paging),
    totalsOf(ctx, group.id, measure, spanOf(period)),
  ])
  const data = await Promise.all(
    ids.map(async (deviceId) => {
      const { name, stats } = await parts.stats(ctx, deviceId, period, measure)
      return { device: { id: String(deviceId), name }, stats }
    }),
  )
  return { data, meta: metaOf(paging, total), period, measure, totals }
}

export const groupHandlers = (parts: GroupParts): Handlers<typeof groups> => ({
  list: async (ctx, { query }) => presentPage(query, await listGroups(ctx, query), presentGroup),
  exportCsv: (ctx, { query }) => groupsCsv(ctx, query),
  exportDevices: (ctx, { params, query }) => groupDevicesCsv(ctx, params.id, query.search, parts.devices),
  add: async (ctx, { body }) => readGroup(ctx, (await addGroup(ctx, body)).id),
  one: (ctx, { params }) => readGroup(ctx, params.id),
  async change(ctx, { params, body }) {
    await changeGroup(ctx, parts.giveLimits, params.id, body)
    return readGroup(ctx, params.id)
  },
  remove: (ctx, { params }) => removeGroup(ctx, params.id),
  async overview(ctx, { params }) {
    const row = orNotFound(await countedGroup(ctx, params.id))
    const worst = await worstMembers(ctx, row.id)
    return overviewOf(row, worst, await parts.devices(ctx, worst.ids))
  },
  async users(ctx, { params, query }) {
    const group = await findGroup(ctx, params.id)
    return presentPage(query, await pageOfUsers(ctx, group.id, query), (row) =>
      presentMember(row, ctx.can('users.view')),
    )
  },
  async devices(ctx, { params, query }) {
    const group = await findGroup(ctx, params.id)
    const { ids, total } = await pageOfDevices(ctx, group.id, query)
    return { data: (await parts.devices(ctx, ids)).map(memberOf), meta: metaOf(query, total) }
  },
  chart: async (ctx, { params, query }) => drawGroup(ctx, await findGroup(ctx, params.id), query),
  compare: (ctx, { query: { ids, ...wanted } }) => compareDevices(ctx, ids.split(','), wanted),
  async addDevice(ctx, { params, body }) {
    const id = await addDevice(ctx, params.id, params.deviceId, body.applyLimits ? parts.giveLimits : null)
    const [device] = await parts.devices(ctx, [id])
    if (!device) throw new AppError('NOT_FOUND')
    return memberOf(device)
  },
  addDevices: async (ctx, { params, body }) => ({
    added: await addDevices(ctx, params.id, body.deviceIds, body.applyLimits ? parts.giveLimits : null),
  }),
  async addUser(ctx, { params }) {
    await addUser(ctx, params.id, params.userId)
    const user = orNotFound(await findMember(ctx, params.id, params.userId))
    return presentMember(user, ctx.can('users.view'))
  },
  removeDevices: (ctx, { params, body }) => removeDevices(ctx, params.id, body),
  removeUsers: (ctx, { params, body }) => removeUsers(ctx, params.id, body),
  temperature: (ctx, { params, query }) => statsPage(ctx, parts, params.id, query, lastDay(ctx), 'temperature'),
  temperatureOf: (ctx, { params, query, body }) => statsPage(ctx, parts, params.id, query, body, 'temperature'),
  humidity: (ctx, { params, query }) => statsPage(ctx, parts, params.id, query, lastDay(ctx), 'humidity'),
  humidityOf: (ctx, { params, query, body }) => statsPage(ctx, parts, params.id, query, body, 'humidity'),
  devicesOf(ctx, { params, query, body }) {
    const measure = Measure.safeParse(params.type)
    if (!measure.success) throw new AppError('NOT_FOUND')
    return statsPage(ctx, parts, params.id, query, body, measure.data)
  },
  async stats(ctx, { params }) {
    const group = await findGroup(ctx, params.id)
    const period = lastDay(ctx)
    const [temperature, humidity] = await Promise.all([
      totalsOf(ctx, group.id, 'temperature', spanOf(period)),
      totalsOf(ctx, group.id, 'humidity', spanOf(period)),
    ])
    return { period, temperature, humidity }
  },
})
