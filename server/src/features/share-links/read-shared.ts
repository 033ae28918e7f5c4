import type { Device, OpenAlarms } from '@isotherm/contract/devices.ts'
import { type Shared, type SharedPage, shareLimits } from '@isotherm/contract/share-links.ts'
import { findCompany, logoVersionOf } from '../../core/company/company.ts'
import type { DeviceReader } from '../../core/devices/device-reader.ts'
import { findVisible } from '../../core/devices/visible-devices.ts'
import type { Worst } from '../../core/devices/worst-queries.ts'
import { findGroup } from '../../core/groups/visible-groups.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { presentShared, type SharedParts } from './present.ts'
import { type ShareLinkRow, worstShown } from './queries.ts'

/** Functions of other features about devices. The app hands them in. */
export interface DeviceParts {
  /** The visible ones of these, in their order; `hasTrend`: with their last 24 hours. */
  devices(ctx: Context, ids: number[], hasTrend: boolean): Promise<Device[]>
  chart: DeviceReader['chart']
  openAlarmsOf(ctx: Context, ids: readonly number[]): Promise<Map<number, OpenAlarms>>
}

/** The facts that a link, or a wall of somebody who is logged in, shows. */
export type View = Pick<
  ShareLinkRow,
  'kind' | 'device_id' | 'group_ids' | 'shows_position' | 'shows_chart' | 'shows_private' | 'turn_s' | 'expires_at'
>

const dayMs = 86_400_000
/** One point in ten minutes. */
const chartPoints = 144

/** The values of a view now, as the person may see them. Throws NOT_FOUND where they may see nothing of it. */
export async function readShared(ctx: Context, parts: DeviceParts, view: View): Promise<Shared> {
  const now = ctx.clock.now()
  const company = await findCompany(ctx.tx, ctx.companyId)
  const about = { company: company.name, logoVersion: logoVersionOf(company), timezone: company.timezone }
  const shown = view.kind === 'device' ? await onlyDevice(ctx, parts, view) : await pagesOf(ctx, parts, view)
  const head = { kind: view.kind, turnS: view.turn_s, ...about, at: now.toISOString() }
  return { ...head, expiresAt: view.expires_at?.toISOString() ?? null, ...shown }
}

async function onlyDevice(ctx: Context, parts: DeviceParts, view: View) {
  const device = await findVisible(ctx, view.device_id ?? 0)
  if (!ctx.can('devices.view') || device.isDecommissioned || (device.isPrivate && !view.shows_private))
    throw new AppError('NOT_FOUND')
  const page = await pageOf(ctx, parts, view, { name: null, openAlarms: null }, { ids: [device.id], total: 1 })
  const now = ctx.clock.now()
  const day = { from: new Date(now.getTime() - dayMs).toISOString(), to: now.toISOString(), points: chartPoints }
  return {
    counts: null,
    pages: [page],
    chart: view.shows_chart ? await parts.chart(ctx, String(device.id), day) : null,
  }
}

async function pagesOf(ctx: Context, parts: DeviceParts, view: View) {
  const find = (groupIds: readonly string[], limit: number | null) =>
    worstShown(ctx, { groupIds, withPrivate: view.shows_private, limit })
  const groups = await groupsOf(ctx, view)
  const whole = view.kind === 'wall' ? await wholeWall(ctx, parts, await find(idsOf(groups), null)) : null
  const pages: SharedPage[] = []
  for (const { id, name } of groups ?? [{ id: null, name: null }]) {
    const found = await find(id === null ? [] : [id], shareLimits.devices)
    pages.push(await pageOf(ctx, parts, view, { name, openAlarms: whole?.openAlarms ?? null }, found))
  }
  return { counts: whole?.counts ?? null, pages, chart: null }
}

const idsOf = (groups: readonly { id: string }[] | null) => (groups ?? []).map(({ id }) => id)

/** The groups of a view that the person sees; null where it shows all devices. */
async function groupsOf(ctx: Context, view: View) {
  if (!ctx.can(view.group_ids.length === 0 ? 'devices.view' : 'groups.view')) throw new AppError('NOT_FOUND')
  if (view.group_ids.length === 0) return null
  const groups: { id: string; name: string }[] = []
  for (const id of view.group_ids) {
    const group = await visibleGroup(ctx, id)
    if (group) groups.push(group)
  }
  if (groups.length === 0) throw new AppError('NOT_FOUND')
  return groups
}

/** The counts of all devices of a wall, and the open alarms of each; null for a person who may not see alarms. */
async function wholeWall(ctx: Context, parts: DeviceParts, { ids, outOfRange, silent, inRange }: Worst) {
  const openAlarms = ctx.can('alarms.view') ? await parts.openAlarmsOf(ctx, ids) : null
  const total = openAlarms && [...openAlarms.values()].reduce((sum, { count }) => sum + count, 0)
  return { openAlarms, counts: { outOfRange, silent, inRange, openAlarms: total } }
}

/** A wall goes on without a group that was deleted, or is not the person's to see any more. */
const visibleGroup = (ctx: Context, id: string) =>
  findGroup(ctx, id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined
    throw error
  })

async function pageOf(
  ctx: Context,
  parts: DeviceParts,
  view: View,
  { name, openAlarms }: { name: string | null } & Pick<SharedParts, 'openAlarms'>,
  { ids, ...counts }: Pick<Worst, 'ids' | 'total'> & Partial<Worst>,
): Promise<SharedPage> {
  const hasTrend = view.shows_chart && view.kind !== 'device'
  const shown: SharedParts = {
    showsPosition: view.shows_position,
    openAlarms,
    now: ctx.clock.now(),
  }
  const devices = await parts.devices(ctx, ids, hasTrend)
  return {
    ...{ name, outOfRange: 0, silent: 0, inRange: 0, ...counts },
    devices: devices.map((device) => presentShared(device, shown)),
  }
}
