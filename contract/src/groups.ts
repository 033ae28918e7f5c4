import { z } from 'zod'
import { del, file, get, patch, post } from './call.ts'
import { Done, Id, Instant, Period, periodWith, SeenVersion, text, Version } from './common.ts'
import { Judgement, Limits, LimitsChange, Measure } from './device-limits.ts'
import { DeviceStatus, Visibility } from './devices.ts'
import { Paging, pageOf } from './paging.ts'
import { Role } from './permissions.ts'
import { MeasureStats } from './stats.ts'

/** `lines`: beyond so many devices a chart shows them as a band; `devices`, `users`: most a group holds. */
export const groupLimits = { devices: 2_000, users: 1_000, lines: 200 } as const

/** Private: Admins and the group's members; public: the whole team. */
export const Group = z.object({
  id: Id,
  name: z.string(),
  visibility: Visibility,
  /** Those the caller may see; decommissioned ones do not count. */
  deviceCount: z.number().int(),
  outOfRange: z.number().int(),
  userCount: z.number().int(),
  /** Limits that its devices get where somebody asks for it; null: none of its own. */
  limits: Limits.nullable(),
  createdAt: Instant,
  version: Version,
})
export type Group = z.infer<typeof Group>

const sorts = ['name', '-name', 'createdAt', '-createdAt', 'devices', '-devices'] as const
export const GroupQuery = Paging.extend({ sort: z.enum(sorts).default('name') })
export type GroupQuery = z.infer<typeof GroupQuery>

const Name = text(80)
const ids = (most: number) => z.array(Id).max(most)

export const NewGroup = z.strictObject({
  name: Name,
  visibility: Visibility.default('public'),
  deviceIds: ids(groupLimits.devices).default([]),
  userIds: ids(groupLimits.users).default([]),
})
export type NewGroup = z.infer<typeof NewGroup>

export const GroupChange = z.strictObject({
  name: Name.optional(),
  visibility: Visibility.optional(),
  /** Default limits of the group; null takes them away. No device changes by it. */
  limits: LimitsChange.nullable().optional(),
  /** Gives the group's limits, as they are after this change, to all its devices from now on. */
  applyLimits: z.boolean().default(false),
  version: SeenVersion,
})
export type GroupChange = z.infer<typeof GroupChange>

/** A member as the group shows it. */
export const GroupDevice = z.object({
  id: Id,
  name: z.string(),
  tag: z.string().nullable(),
  imei: z.string().nullable(),
  status: DeviceStatus,
  visibility: Visibility,
  measuredAt: Instant.nullable(),
  temperatureC: z.number().nullable(),
  humidityPct: z.number().nullable(),
  batteryPct: z.number().nullable(),
  judgement: z.object({ temperature: Judgement.nullable(), humidity: Judgement.nullable() }),
  excursionSince: Instant.nullable(),
  limits: Limits,
  position: z.object({ lat: z.number(), lon: z.number(), placeName: z.string().nullable() }).nullable(),
})
export type GroupDevice = z.infer<typeof GroupDevice>

export const GroupUser = z.object({
  id: Id,
  fullname: z.string(),
  /** Null for a role that may not see the team. */
  email: z.string().nullable(),
  role: Role,
  addedAt: Instant,
})
export type GroupUser = z.infer<typeof GroupUser>

export const GroupOverview = z.object({
  group: Group,
  byStatus: z.record(DeviceStatus, z.number().int()),
  inRange: z.number().int(),
  outOfRange: z.number().int(),
  silent: z.number().int(),
  /** Worst first: out of range the longest, then silent the longest, then by name. */
  devices: z.array(GroupDevice),
})
export type GroupOverview = z.infer<typeof GroupOverview>

const Series = z.array(z.number().nullable())
const MeasureLimits = z.object({ min: z.number().nullable(), max: z.number().nullable() })
/** One measure of every device on one time axis; hundredths are rounded, gaps are nulls. */
export const GroupChart = z.object({
  measure: Measure,
  bucketS: z.number().int(),
  /** The middle of what each bucket has of the period, ms since 1970, ascending. */
  atMs: z.array(z.number()),
  /** Averages of each device by bucket; empty for more than `groupLimits.lines` devices. */
  lines: z.array(
    z.object({
      deviceId: Id,
      name: z.string(),
      intervalS: z.number().int(),
      values: Series,
      /** The device's limits of now. */
      limits: MeasureLimits,
    }),
  ),
  /** Over all devices. */
  band: z.object({ min: Series, mean: Series, max: Series }),
  /** How many devices it is of. */
  devices: z.number().int(),
  /** The group's default limits for this measure. */
  limits: MeasureLimits,
})
export type GroupChart = z.infer<typeof GroupChart>

/** Statistics of all the group's devices together; degrees Celsius or percent. */
export const GroupTotals = z.object({
  devices: z.number().int(),
  /** Devices with readings in the period, and with an excursion that reaches into it. */
  measuring: z.number().int(),
  outOfRange: z.number().int(),
  readings: z.number().int(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  /** Mean of all readings. */
  average: z.number().nullable(),
  excursions: z.number().int(),
  aboveMs: z.number(),
  belowMs: z.number(),
})
export type GroupTotals = z.infer<typeof GroupTotals>

export const ChartQuery = z.strictObject({
  measure: Measure.default('temperature'),
  points: z.coerce.number().int().min(10).max(1_000).default(300),
})
export type ChartQuery = z.infer<typeof ChartQuery>

/** So many devices are compared at most: more lines cannot be told apart. */
export const maxCompared = 10
/** `ids`: devices, with commas between. */
const CompareQuery = periodWith({
  ...ChartQuery.shape,
  ids: z.string().regex(new RegExp(`^[1-9]\\d{0,17}(?:,[1-9]\\d{0,17}){0,${maxCompared - 1}}$`)),
})

const StatsRow = z.object({ device: z.object({ id: Id, name: z.string() }), stats: MeasureStats })
/** A page of devices, by name, each with its exact statistics; the totals are of all. */
export const GroupStats = pageOf(StatsRow).extend({
  period: z.object({ from: Instant, to: Instant }),
  measure: Measure,
  totals: GroupTotals,
})
export type GroupStats = z.infer<typeof GroupStats>

const StatsPaging = z.strictObject({
  page: Paging.shape.page,
  perPage: z.coerce.number().int().min(1).max(50).default(25),
})
const lastDay = (measure: string) => ({
  needs: 'groups.view' as const,
  readsMany: true as const,
  summary: `Statistics of ${measure} of the last 24 hours, per device and for the group`,
  query: StatsPaging,
  returns: GroupStats,
})
const ofPeriod = (measure: string) => ({
  ...lastDay(measure),
  summary: `Statistics of ${measure} of a period, per device and for the group`,
  body: Period,
  readOnly: true,
})

export const groups = {
  list: get('/groups', {
    needs: 'groups.view',
    summary: 'The groups, paged, with search by name',
    query: GroupQuery,
    returns: pageOf(Group),
  }),
  exportCsv: get('/groups/export', {
    needs: 'groups.export',
    summary: 'groups.csv of what the search leaves',
    query: GroupQuery.omit({ page: true, perPage: true }),
    returns: file('text/csv'),
  }),
  add: post('/groups', {
    needs: 'groups.addOrEdit',
    begins: 'other',
    summary: 'Creates a group',
    body: NewGroup,
    returns: Group,
  }),
  one: get('/groups/:id', { needs: 'groups.view', summary: 'One group', returns: Group }),
  change: patch('/groups/:id', {
    needs: 'groups.addOrEdit',
    summary: 'Changes a group: name, visibility, default limits',
    body: GroupChange,
    returns: Group,
  }),
  remove: del('/groups/:id', {
    needs: 'groups.addOrEdit',
    summary: 'Deletes a group; its devices stay',
    returns: Done,
  }),
  overview: get('/groups/:id/overview', {
    needs: 'groups.view',
    readsMany: true,
    summary: 'How the group’s devices stand, worst first',
    returns: GroupOverview,
  }),
  users: get('/groups/:id/users', {
    needs: 'groups.view',
    summary: 'The members, paged, with search',
    query: Paging,
    returns: pageOf(GroupUser),
  }),
  devices: get('/groups/:id/devices', {
    needs: 'groups.view',
    summary: 'The devices, paged, with search',
    query: Paging,
    returns: pageOf(GroupDevice),
  }),
  exportDevices: get('/groups/:id/devices/export', {
    needs: 'groups.export',
    summary: 'group-devices.csv of what the search leaves: the devices with their latest values',
    query: Paging.pick({ search: true }),
    returns: file('text/csv'),
  }),
  chart: get('/groups/:id/chart', {
    needs: 'groups.view',
    readsMany: true,
    summary: 'All the group’s devices on one chart',
    query: periodWith(ChartQuery.shape),
    returns: GroupChart,
  }),
  compare: get('/devices/compare', {
    needs: 'devices.view',
    readsMany: true,
    summary: 'Some devices on one chart; those that the caller may not see are left out',
    query: CompareQuery,
    returns: GroupChart,
  }),
  addDevice: patch('/groups/:id/devices/:deviceId', {
    needs: 'groups.addOrEdit',
    summary: 'Adds a device, with the group’s default limits from now on where asked for',
    body: z.strictObject({ applyLimits: z.boolean().default(false) }),
    returns: GroupDevice,
  }),
  addDevices: post('/groups/:id/devices', {
    needs: 'groups.addOrEdit',
    summary: 'Adds several devices at once, with the group’s default limits from now on where asked for',
    body: z.strictObject({
      deviceIds: z.array(Id).min(1).max(groupLimits.devices),
      applyLimits: z.boolean().default(false),
    }),
    /** Those that were not in it. */
    returns: z.object({ added: z.number().int() }),
    auditOptional: true,
    maxBodyBytes: 200_000,
  }),
  addUser: patch('/groups/:id/users/:userId', {
    needs: 'groups.addOrEdit',
    summary: 'Adds a member',
    returns: GroupUser,
  }),
  removeDevices: del('/groups/:id/devices', {
    needs: 'groups.addOrEdit',
    summary: 'Takes devices out of the group; those that are not in it are passed over',
    body: z.array(Id).min(1).max(groupLimits.devices),
    returns: Done,
  }),
  removeUsers: del('/groups/:id/users', {
    needs: 'groups.addOrEdit',
    summary: 'Takes members out of the group; those that are not in it are passed over',
    body: z.array(Id).min(1).max(groupLimits.users),
    returns: Done,
  }),
  temperature: get('/group/temperature/:id', lastDay('temperature')),
  temperatureOf: post('/group/temperature/:id', ofPeriod('temperature')),
  humidity: get('/group/humidity/:id', lastDay('humidity')),
  humidityOf: post('/group/humidity/:id', ofPeriod('humidity')),
  devicesOf: post('/group/devices/:id/:type', {
    ...ofPeriod('one measure, temperature or humidity,'),
  }),
  stats: get('/groupStats/:id', {
    needs: 'groups.view',
    readsMany: true,
    summary: 'The group’s figures of the last 24 hours, both measures',
    returns: z.object({
      period: z.object({ from: Instant, to: Instant }),
      temperature: GroupTotals,
      humidity: GroupTotals,
    }),
  }),
}
