import { z } from 'zod'
import { del, file, get, patch, post } from './call.ts'
import { Done, Id, Instant, text } from './common.ts'
import { Chart } from './device-history.ts'
import { Judgement, Limits } from './device-limits.ts'
import { DeviceStatus } from './devices.ts'
import { Paging, pageOf } from './paging.ts'

/** Figures that browser and server agree on. */
export const shareLimits = {
  /** The longest that a link of a device or group is good for. */
  hours: 720,
  wallHours: 8_760,
  wallGroups: 12,
  /** Devices of one page of an answer; the worst come first. */
  devices: 100,
} as const

export const ShareLinkKind = z.enum(['device', 'group', 'wall'])
export type ShareLinkKind = z.infer<typeof ShareLinkKind>

const Named = z.object({ id: Id, name: z.string() })

/** A link by which people without a login read present values. Its token is told once, to the person who makes it. */
export const ShareLink = z.object({
  id: Id,
  kind: ShareLinkKind,
  label: z.string(),
  device: Named.nullable(),
  /** Empty on a wall that shows all devices. */
  groups: z.array(Named),
  showsPosition: z.boolean(),
  showsChart: z.boolean(),
  showsPrivate: z.boolean(),
  /** Seconds that each picture of a wall stays; null is the usual time, and for what is no wall. */
  turnS: z.number().int().nullable(),
  createdBy: Named,
  createdAt: Instant,
  expiresAt: Instant.nullable(),
  /** How often its page was opened. */
  openings: z.number().int(),
  lastReadAt: Instant.nullable(),
})
export type ShareLink = z.infer<typeof ShareLink>
export const NewShareLink = ShareLink.extend({ token: z.string() })
export type NewShareLink = z.infer<typeof NewShareLink>

const label = text(80)
export const DeviceShare = z.strictObject({
  label,
  hours: z.number().int().min(1).max(shareLimits.hours),
  showsPosition: z.boolean().default(false),
  showsChart: z.boolean().default(false),
})
export type DeviceShare = z.infer<typeof DeviceShare>
/** `showsPrivate`: with the private devices of the group, which only an Admin may say. */
export const GroupShare = DeviceShare.extend({ showsPrivate: z.boolean().default(false) })
export type GroupShare = z.infer<typeof GroupShare>
/** Seconds that each picture of a wall stays. */
const Turn = z.number().int().min(5).max(600)
const WallGroups = z.array(Id).max(shareLimits.wallGroups)
export const WallScreen = z.strictObject({
  label,
  /** Shown in this order; none is all devices of the company. */
  groupIds: WallGroups.default([]),
  /** Null: until somebody revokes it. */
  hours: z.number().int().min(1).max(shareLimits.wallHours).nullable().default(null),
  showsPrivate: z.boolean().default(false),
  turnS: Turn.nullable().default(null),
})
export type WallScreen = z.infer<typeof WallScreen>
/** A field that is left out stays as it is. */
export const WallChange = z
  .strictObject({ label, groupIds: WallGroups, showsPrivate: z.boolean(), turnS: Turn.nullable() })
  .partial()
export type WallChange = z.infer<typeof WallChange>

const celsius = z.number().nullable()

/** A device as a link or a wall shows it: nothing by which it, or its hardware, is known inside the company but its name. */
export const SharedDevice = z.object({
  name: z.string(),
  /** Whether its readings are made up. */
  isSample: z.boolean(),
  status: DeviceStatus,
  measuredAt: Instant.nullable(),
  temperatureC: celsius,
  humidityPct: z.number().nullable(),
  batteryPct: z.number().nullable(),
  limits: Limits,
  judgement: z.object({ temperature: Judgement.nullable(), humidity: Judgement.nullable() }),
  outSince: Instant.nullable(),
  /** Null where it has none, and where the link does not show positions. */
  position: z.object({ lat: z.number(), lon: z.number(), at: Instant, placeName: z.string().nullable() }).nullable(),
  /** Average temperatures of the 24 hours up to now, oldest first; empty where the link shows no charts. */
  trend: z.array(celsius),
  /** On a wall: alarms that nobody acknowledged. */
  openAlarms: z.number().int().nullable(),
})
export type SharedDevice = z.infer<typeof SharedDevice>

/** A group of devices, or all. The counts are of all its devices, of which the worst are in `devices`. */
export const SharedPage = z.object({
  /** Null: all devices of the company. */
  name: z.string().nullable(),
  total: z.number().int(),
  outOfRange: z.number().int(),
  silent: z.number().int(),
  inRange: z.number().int(),
  devices: z.array(SharedDevice),
})
export type SharedPage = z.infer<typeof SharedPage>

/** The totals of a wall: a device of two groups counts once. */
export const WallCounts = z.object({
  outOfRange: z.number().int(),
  silent: z.number().int(),
  inRange: z.number().int(),
  /** Alarms that nobody acknowledged; null where who made the wall may not see alarms. */
  openAlarms: z.number().int().nullable(),
})
export type WallCounts = z.infer<typeof WallCounts>

export const Shared = z.object({
  kind: ShareLinkKind,
  company: z.string(),
  /** The version of the company's logo, whose picture is a call of its own; null: none is shown. */
  logoVersion: z.string().nullable(),
  /** IANA zone of the company, for the wall's clock. */
  timezone: z.string(),
  at: Instant,
  expiresAt: Instant.nullable(),
  /** Seconds that each picture of a wall stays; null is the usual time. */
  turnS: z.number().int().nullable(),
  /** Null for what is no wall. */
  counts: WallCounts.nullable(),
  pages: z.array(SharedPage),
  /** The last 24 hours of the one device of a link, where it shows charts. */
  chart: Chart.pick({ atMs: true, temperature: true, humidity: true, limits: true }).nullable(),
})
export type Shared = z.infer<typeof Shared>

export const ShareToken = z.strictObject({
  token: z.string().min(1).max(100),
  /** True once, when a page is opened; it then asks again and again. */
  isOpening: z.boolean().default(false),
})

const groupList = z
  .string()
  .regex(/^[1-9]\d{0,17}(,[1-9]\d{0,17}){0,11}$/)
  .optional()
export const WallQuery = z.strictObject({
  /** Ids, separated by commas; left out: all devices. */
  groupIds: groupList,
  showsPrivate: z.enum(['true', 'false']).default('false'),
})

export const shareLinks = {
  ofDevice: get('/devices/:id/share-links', {
    needs: 'devices.addOrEdit',
    summary: 'The share links of a device that are good now',
    returns: z.array(ShareLink),
  }),
  shareDevice: post('/devices/:id/share-links', {
    needs: 'devices.addOrEdit',
    needsPerson: true,
    begins: 'other',
    summary: 'Makes a link by which anybody reads the present values of a device; its token is in this answer only',
    body: DeviceShare,
    returns: NewShareLink,
  }),
  revokeOfDevice: del('/device-share-links/:id', {
    needs: 'devices.addOrEdit',
    summary: 'Revokes a share link of a device, at once',
    returns: Done,
  }),
  ofGroup: get('/groups/:id/share-links', {
    needs: 'groups.addOrEdit',
    summary: 'The share links of a group that are good now',
    returns: z.array(ShareLink),
  }),
  shareGroup: post('/groups/:id/share-links', {
    needs: 'groups.addOrEdit',
    needsPerson: true,
    begins: 'other',
    summary: 'Makes a link by which anybody reads the present values of a group; its token is in this answer only',
    body: GroupShare,
    returns: NewShareLink,
  }),
  revokeOfGroup: del('/group-share-links/:id', {
    needs: 'groups.addOrEdit',
    summary: 'Revokes a share link of a group, at once',
    returns: Done,
  }),
  all: get('/share-links', {
    needs: 'admin',
    summary: 'Every share link and wall screen of the company that is good now, newest first',
    query: Paging.pick({ page: true, perPage: true }).extend({ kind: ShareLinkKind.optional() }),
    returns: pageOf(ShareLink),
  }),
  addWall: post('/wall-screens', {
    needs: 'admin',
    needsProof: true,
    begins: 'other',
    summary: 'Makes the link of a wall screen; its token is in this answer only',
    body: WallScreen,
    returns: NewShareLink,
  }),
  changeWall: patch('/wall-screens/:id', {
    needs: 'admin',
    needsProof: true,
    summary: 'Changes what a wall screen shows; its link stays, and open screens follow',
    auditOptional: true,
    body: WallChange,
    returns: ShareLink,
  }),
  revokeWall: del('/wall-screens/:id', {
    needs: 'admin',
    summary: 'Revokes the link of a wall screen, at once',
    returns: Done,
  }),
  wall: get('/wall', {
    needs: 'devices.view',
    summary: 'The values of a wall screen for a person who is logged in, the worst devices first',
    query: WallQuery,
    returns: Shared,
  }),
  read: post('/shared', {
    needs: 'public',
    limit: 'share',
    auditOptional: true,
    summary: 'The values that a share link or a wall screen shows now, as the person who made it may see them now',
    body: ShareToken,
    returns: Shared,
  }),
  logo: post('/shared/logo', {
    needs: 'public',
    limit: 'share',
    auditOptional: true,
    summary: 'The logo of the company on the page of a share link',
    body: ShareToken.pick({ token: true }),
    returns: file('image/png'),
  }),
}
