import { z } from 'zod'
import { get, patch, post, put } from './call.ts'
import { Done, Id, Instant, openPeriodWith, webAddress } from './common.ts'
import { Paging, pageOf } from './paging.ts'

/** The news of orders: late and in time again, goods out of range and back in it. */
export const orderKinds = ['orderLate', 'orderOnTime', 'orderOutOfRange', 'orderInRange'] as const

export const notificationKinds = [
  'alarmOpened',
  'alarmNormal',
  'alarmReminder',
  'alarmEscalated',
  'alarmTest',
  'alarmWithdrawn',
  'alarmAssigned',
  'wallet',
  'deliveryFailed',
  'placeEntered',
  'placeLeft',
  'support',
  'billing',
  ...orderKinds,
  'calibrationDue',
  'coldTreatment',
  'webhook',
] as const
export const NotificationKind = z.enum(notificationKinds)
export type NotificationKind = z.infer<typeof NotificationKind>

/** A line of one person's notification centre; `title` and `text` are in the reader's language. */
export const Notification = z.object({
  id: Id,
  kind: NotificationKind,
  severity: z.enum(['info', 'warning', 'critical']),
  title: z.string(),
  text: z.string(),
  deviceId: Id.nullable(),
  deviceName: z.string().nullable(),
  alarmId: Id.nullable(),
  triggerId: Id.nullable(),
  orderId: Id.nullable(),
  shipmentId: Id.nullable(),
  at: Instant,
  readAt: Instant.nullable(),
})
export type Notification = z.infer<typeof Notification>

const filters = {
  kind: NotificationKind.optional(),
  severity: z.enum(['info', 'warning', 'critical']).optional(),
  device: Id.optional(),
  group: Id.optional(),
  unread: z.enum(['true', 'false']).optional(),
}
const paged = {
  page: Paging.shape.page,
  perPage: Paging.shape.perPage,
  /** The `next` of the answer before: new notifications shift pages, and leave what is before one where it is. */
  before: Id.optional(),
}
export const NotificationQuery = openPeriodWith({ ...paged, ...filters, search: Paging.shape.search })
export const NotificationFilter = openPeriodWith({ ...paged, ...filters })
export const NotificationOfDevice = openPeriodWith({ ...paged })

/** `message`: what to say where there is none, in the caller's language. */
export const NotificationPage = pageOf(Notification).extend({
  unread: z.number().int(),
  message: z.string().nullable(),
  /** Where to go on; null: there are no earlier ones. */
  next: Id.nullable(),
})

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'timeOfDay')
/** Local times of the person's zone. Critical alarms ignore quiet hours; the notification centre has none. */
export const NotificationSettings = z.strictObject({
  quiet: z.strictObject({ from: TimeOfDay, to: TimeOfDay }).nullable(),
  sound: z.boolean(),
  /** Mails of devices that come into places and leave them. */
  crossingMails: z.boolean(),
  /** To those of the person's browsers that have subscribed. */
  push: z.boolean(),
})
export type NotificationSettings = z.infer<typeof NotificationSettings>

const base64url = (length: number) => z.string().regex(new RegExp(`^[\\w-]{${length}}$`))
/** A browser's PushSubscription. */
export const PushBrowser = z.strictObject({
  endpoint: webAddress(/^https$/, 2000),
  p256dh: base64url(87),
  auth: base64url(22),
})
export type PushBrowser = z.infer<typeof PushBrowser>

export const notifications = {
  list: get('/enterprise/notifications', {
    needs: 'session',
    summary: 'The caller’s notifications, newest first',
    query: NotificationQuery,
    returns: NotificationPage,
  }),
  search: get('/enterprise/notifications/search', {
    needs: 'session',
    summary: 'The caller’s notifications that contain a text',
    query: NotificationQuery,
    returns: NotificationPage,
  }),
  filter: post('/enterprise/notifications', {
    needs: 'session',
    summary: 'The caller’s notifications by period, kind, device or group',
    body: NotificationFilter,
    returns: NotificationPage,
    readOnly: true,
  }),
  ofDevice: post('/enterprise/notifications/:imei', {
    needs: 'session',
    summary: 'The caller’s notifications about one device',
    body: NotificationOfDevice,
    returns: NotificationPage,
    readOnly: true,
  }),
  read: patch('/enterprise/notifications/read', {
    needs: 'session',
    summary: 'Marks notifications as read: those named, or all',
    body: z.union([z.strictObject({ ids: z.array(Id).min(1).max(500) }), z.strictObject({ all: z.literal(true) })]),
    returns: z.object({ unread: z.number().int() }),
    auditOptional: true,
  }),
  settings: get('/enterprise/notifications/settings', {
    needs: 'session',
    summary: 'How the caller wants to hear',
    returns: NotificationSettings,
  }),
  changeSettings: put('/enterprise/notifications/settings', {
    needs: 'session',
    summary: 'Changes quiet hours and sound',
    body: NotificationSettings,
    returns: NotificationSettings,
  }),
  pushKey: get('/enterprise/notifications/push', {
    needs: 'session',
    summary: 'The key that browsers subscribe to pushes with; null where pushes are not configured',
    returns: z.object({ key: z.string().nullable() }),
  }),
  addBrowser: post('/enterprise/notifications/push', {
    needs: 'session',
    summary: 'Subscribes a browser of the caller to pushes',
    body: PushBrowser,
    returns: Done,
    auditOptional: true,
  }),
  removeBrowser: post('/enterprise/notifications/push/removal', {
    needs: 'session',
    summary: 'Ends the pushes to a browser of the caller',
    body: z.strictObject({ endpoint: PushBrowser.shape.endpoint }),
    returns: Done,
    auditOptional: true,
  }),
}
