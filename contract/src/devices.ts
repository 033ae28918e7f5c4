import { z } from 'zod'
import { Severity } from './alarm-rules.ts'
import { del, file, get, patch, post } from './call.ts'
import { ClaimCode } from './claim-code.ts'
import { Done, GivenInstant, Id, Imei, Instant, periodWith, SeenVersion, text, Version } from './common.ts'
import { BulkResult, DeviceBulkSetup } from './device-bulk.ts'
import { Chart, DevicePath, Reading, RejectedReading } from './device-history.ts'
import { Judgement, Limits, LimitsChange } from './device-limits.ts'
import { Fleet } from './fleet.ts'
import { limits as figures } from './limits.ts'
import { Paging, pageOf } from './paging.ts'

/** Late: 1 to 3 intervals without data; offline: more. Decommissioned devices are listed only when asked for. */
export const deviceStatuses = [
  'awaiting',
  'live',
  'late',
  'offline',
  'paused',
  'flightMode',
  'off',
  'expired',
  'decommissioned',
] as const
export const DeviceStatus = z.enum(deviceStatuses)
export type DeviceStatus = z.infer<typeof DeviceStatus>

/** The filters of the chips above the list. Silent is late or offline; in and out of range are of live and late devices. */
export const deviceFilters = [...deviceStatuses, 'inRange', 'outOfRange', 'silent'] as const
export const DeviceFilter = z.enum(deviceFilters)
export type DeviceFilter = z.infer<typeof DeviceFilter>

export const Visibility = z.enum(['private', 'public'])
export type Visibility = z.infer<typeof Visibility>
export const Transmission = z.enum(['started', 'paused'])
export type Transmission = z.infer<typeof Transmission>
const celsius = z.number().nullable()
const percent = z.number().nullable()

/** The newest values; those that a device does not measure are null. */
export const Latest = z.object({
  measuredAt: Instant,
  receivedAt: Instant,
  temperatureC: celsius,
  temperatureAt: Instant.nullable(),
  humidityPct: percent,
  humidityAt: Instant.nullable(),
  batteryPct: percent,
  lightLux: z.number().nullable(),
})
export type Latest = z.infer<typeof Latest>

export const Position = z.object({
  lat: z.number(),
  lon: z.number(),
  at: Instant,
  accuracyM: z.number().nullable(),
  /** The nearest larger town, by its own name. */
  placeName: z.string().nullable(),
})
export type Position = z.infer<typeof Position>

/** A wish the device has not confirmed: shown as 'waiting for the device'. */
export const Waiting = z.object({
  kind: z.enum(['interval', 'transmission', 'power', 'flight_mode']),
  /** `interval` {intervalS}, `transmission` {state}. */
  value: z.record(z.string(), z.unknown()),
  since: Instant,
  /** When it was handed to the device; null while the device has not been heard of. */
  sentAt: Instant.nullable(),
})
export type Waiting = z.infer<typeof Waiting>

/** Hourly, for the small chart of a row: one entry per hour with readings. */
export const SparkPoint = z.object({ at: Instant, minC: celsius, avgC: celsius, maxC: celsius })
export type SparkPoint = z.infer<typeof SparkPoint>

/**
 * When the temperature is likely to leave its limits, told by its last hours. Minutes from `at`; 8 of 10 breaches lie from
 * `lowMinutes` to `highMinutes`. Advisory: nothing is alarmed by it.
 */
export const TimeToBreach = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('heading'),
    side: z.enum(['above', 'below']),
    limitC: z.number(),
    at: Instant,
    minutes: z.number().int(),
    lowMinutes: z.number().int(),
    highMinutes: z.number().int(),
  }),
  z.object({ state: z.enum(['notHeading', 'notEnoughData']) }),
])
export type TimeToBreach = z.infer<typeof TimeToBreach>

export const OpenAlarms = z.object({ count: z.number().int(), severity: Severity })
export type OpenAlarms = z.infer<typeof OpenAlarms>

export const Device = z.object({
  id: Id,
  /** The IMEI of the hardware in use now; null when it was taken away. */
  imei: z.string().nullable(),
  name: z.string(),
  tag: z.string().nullable(),
  type: z.string(),
  status: DeviceStatus,
  visibility: Visibility,
  intervalS: z.number().int(),
  transmission: Transmission,
  latest: Latest.nullable(),
  position: Position.nullable(),
  /** By how many seconds the device's clock ran ahead when it last did so by more than 10 minutes, since its latest reading. */
  clockAheadS: z.number().int().nullable(),
  limits: Limits,
  /** The latest values by the limits of their time. */
  judgement: z.object({ temperature: Judgement.nullable(), humidity: Judgement.nullable() }),
  /** Since when it is out of its limits without a break. */
  excursionSince: Instant.nullable(),
  waiting: z.array(Waiting),
  licenceUntil: Instant.nullable(),
  /** Readings measured after this instant are stored, but hidden until the licence is renewed: 30 days after it expired. */
  hiddenFrom: Instant.nullable(),
  createdAt: Instant,
  /** When the sample device, whose readings are made up, goes by itself. Null for every other. */
  sampleUntil: Instant.nullable(),
  /** Counts what people set of it, its limits among them; not what it does by itself. */
  version: Version,
  sparkline24h: z.array(SparkPoint).optional(),
  /** In the list: the triggers of state 'open' that the caller may see, and the worst of them; null for none. */
  openAlarms: OpenAlarms.nullable().optional(),
  /** Only for a single device that is asked for. */
  timeToBreach: TimeToBreach.optional(),
})
export type Device = z.infer<typeof Device>

const sortable = ['name', 'tag', 'status', 'lastSeen', 'temperature', 'humidity', 'battery', 'created'] as const
const deviceSorts = sortable.flatMap((name) => [name, `-${name}`] as const)
export const DeviceQuery = Paging.extend({
  sort: z.enum(deviceSorts).default('name'),
  status: DeviceFilter.optional(),
  tag: text(60, 0).optional(),
  visibility: Visibility.optional(),
  /** Those in a group, and those not in one. */
  group: Id.optional(),
  notInGroup: Id.optional(),
  /** 'true' adds `sparkline24h` to every row. */
  sparkline: z.enum(['true', 'false']).default('false'),
})
export type DeviceQuery = z.infer<typeof DeviceQuery>

/** Limits that judged what was measured from `from` on, until the next ones. */
export const LimitsFrom = Limits.extend({ from: Instant })
export type LimitsFrom = z.infer<typeof LimitsFrom>

const Count = z.number().int()
/** `total` counts all but the decommissioned. */
export const DeviceSummary = z.object({
  total: Count,
  byStatus: z.record(DeviceStatus, Count),
  inRange: Count,
  outOfRange: Count,
  silent: Count,
  /** Every tag in use. */
  tags: z.array(z.string()),
})
export type DeviceSummary = z.infer<typeof DeviceSummary>

export const DeviceName = text(80)
export const DeviceTag = text(60)
export const IntervalS = z.number().int().min(figures.minIntervalS).max(figures.maxIntervalS)

export const DeviceSetup = z.strictObject({
  imei: Imei,
  /** On the label of the hardware. May be left out only where the installation asks for none (CLAIM_CODES). */
  claimCode: ClaimCode.optional(),
  /** Left out, the device takes a free place of a licence that the company has. */
  licenceKey: text(60).optional(),
  name: DeviceName,
  tag: DeviceTag.nullable().optional(),
  /** How often it is to measure. Left out, 600 is assumed and nothing asked of the device. */
  intervalS: IntervalS.optional(),
  visibility: Visibility.default('public'),
  limits: LimitsChange.default({ preset: 'none' }),
  /** Which probe of hardware with several. */
  probe: z.number().int().min(1).max(16).default(1),
  /** Takes an IMEI whose check digit is wrong: real trackers have such. */
  overrideImeiCheck: z.boolean().default(false),
})
export type DeviceSetup = z.infer<typeof DeviceSetup>

/** `newSecret`: hardware that another company had before gets a new secret, shown this once; else null. */
export const ClaimedDevice = Device.extend({ newSecret: z.string().nullable() })
export type ClaimedDevice = z.infer<typeof ClaimedDevice>

export const DeviceChange = z.strictObject({
  name: DeviceName.optional(),
  tag: DeviceTag.nullable().optional(),
  intervalS: IntervalS.optional(),
  visibility: Visibility.optional(),
  transmission: Transmission.optional(),
  limits: LimitsChange.optional(),
  version: SeenVersion,
})
export type DeviceChange = z.infer<typeof DeviceChange>

/** How many points are to be drawn at most, about. */
export const ChartPoints = z.coerce.number().int().min(10).max(2000).default(500)
const points = ChartPoints

export const LicenceCheck = z.object({
  /** `used`: by another company, or by as many devices as it is for. */
  state: z.enum(['free', 'used', 'expired', 'unknown']),
  devices: z.number().int().nullable(),
  devicesFree: z.number().int().nullable(),
  months: z.number().int().nullable(),
  /** Null while nobody has claimed it: the months run from the first claim. */
  expiresAt: Instant.nullable(),
})
export type LicenceCheck = z.infer<typeof LicenceCheck>

export const devices = {
  list: get('/devices', {
    needs: 'devices.view',
    summary: 'The devices the caller may see, with their latest values',
    query: DeviceQuery,
    returns: pageOf(Device),
  }),
  fleet: get('/devices/positions', {
    needs: 'devices.view',
    summary: 'Every device of the company, or of one of its groups, for a map, as columns',
    query: z.strictObject({ group: Id.optional() }),
    returns: Fleet,
  }),
  summary: get('/devices/summary', {
    needs: 'devices.view',
    summary: 'How many devices there are of each status',
    returns: DeviceSummary,
  }),
  exportCsv: get('/devices/export', {
    needs: 'devices.export',
    summary: 'devices.csv of what the filters leave: settings and latest values',
    query: DeviceQuery.omit({ page: true, perPage: true, sparkline: true }),
    returns: file('text/csv'),
  }),
  setup: post('/devices/setup', {
    needs: 'devices.addOrEdit',
    begins: 'devices',
    summary: 'Claims a device by IMEI, the code on its label and a licence key, and names it',
    body: DeviceSetup,
    returns: ClaimedDevice,
  }),
  setupBulk: post('/devices/setup/bulk', {
    needs: 'devices.addOrEdit',
    summary: 'Sets up, or renames, tags and limits, the devices of a CSV: all rows or none, with a dry run',
    body: DeviceBulkSetup,
    returns: BulkResult,
    auditOptional: true,
    maxBodyBytes: 3_000_000,
  }),
  addSample: post('/devices/sample', {
    needs: 'devices.addOrEdit',
    begins: 'other',
    summary:
      'Adds the sample device, whose readings the server makes up: one for a company, for 30 days, without a licence',
    returns: Device,
  }),
  removeSample: del('/devices/sample', {
    needs: 'devices.addOrEdit',
    summary:
      'Removes the sample device, if there is one, with its readings, alarms, records and reports; the audit trail stays',
    returns: Done,
    auditOptional: true,
  }),
  one: get('/devices/:id', { needs: 'devices.view', summary: 'One device', returns: Device }),
  change: patch('/devices/:id', {
    needs: 'devices.addOrEdit',
    summary: 'Changes settings; interval and transmission are wishes until the device confirms',
    body: DeviceChange,
    returns: Device,
  }),
  limits: get('/devices/:id/limits', {
    needs: 'devices.view',
    summary: 'Which limits judged when, newest first',
    returns: z.array(LimitsFrom),
  }),
  history: get('/devices/:id/history', {
    needs: 'devices.view',
    readsMany: true,
    summary: 'The readings of a period, newest first; by pages, or on from `next`, which new readings do not move',
    query: periodWith({
      page: Paging.shape.page,
      perPage: Paging.shape.perPage,
      /** The `next` of the answer before. */
      before: GivenInstant.optional(),
    }),
    returns: pageOf(Reading).extend({ next: Instant.nullable() }),
  }),
  chart: get('/devices/:id/history/chart', {
    needs: 'devices.view',
    readsMany: true,
    summary: 'Minimum, average and maximum per bucket of a period, with limits, excursions and gaps',
    query: periodWith({ points }),
    returns: Chart,
  }),
  mapPoints: get('/devices/:id/history/map-points', {
    needs: 'devices.view',
    readsMany: true,
    summary: 'The path of a period, thinned',
    query: periodWith({ points }),
    returns: DevicePath,
  }),
  licence: get('/license/:key', {
    needs: 'devices.view',
    summary: 'Whether a licence key is known and free, and what it is for',
    limit: 'licence',
    returns: LicenceCheck,
  }),
  rejected: get('/ingest/rejected', {
    needs: 'admin',
    summary: 'What the devices of the company sent that could not become a reading, and why',
    query: Paging,
    returns: pageOf(RejectedReading),
  }),
}
