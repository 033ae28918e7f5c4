import { z } from 'zod'
import { Severity } from './alarm-rules.ts'
import { file, get } from './call.ts'
import { Id, Instant } from './common.ts'
import { ChartExcursion } from './device-history.ts'
import { Latest, Position } from './devices.ts'
import { TriggerState } from './triggers.ts'

/** A device's batch was stored. Readings between `from` and `to` are new; late ones leave `latest` as it was. */
export const LiveReading = z.object({
  deviceId: Id,
  count: z.number().int(),
  from: Instant,
  to: Instant,
  latest: Latest.nullable(),
  position: Position.omit({ placeName: true }).nullable(),
  clockAheadS: z.number().int().nullable(),
})
export type LiveReading = z.infer<typeof LiveReading>

export const LiveExcursion = ChartExcursion.extend({
  deviceId: Id,
  state: z.enum(['started', 'ended', 'amended', 'removed']),
  /** Found in data that came late, when it was already over. */
  late: z.boolean(),
})
export type LiveExcursion = z.infer<typeof LiveExcursion>

/** Something about a device other than its readings changed: fetch it again. */
export const LiveDevice = z.object({
  deviceId: Id,
  change: z.enum(['added', 'settings', 'commands', 'licence', 'power']),
})
export type LiveDevice = z.infer<typeof LiveDevice>

/** A trigger came to be or changed: fetch it again. */
export const LiveTrigger = z.object({
  id: Id,
  deviceId: Id,
  alarmId: Id,
  severity: Severity,
  state: TriggerState,
})
export type LiveTrigger = z.infer<typeof LiveTrigger>

/** The person's own notifications changed. `added`: what a badge, a toast and a sound need of the new one. */
export const LiveNotification = z.object({
  unread: z.number().int(),
  added: z.object({ id: Id, severity: z.enum(['info', 'warning', 'critical']) }).nullable(),
})
export type LiveNotification = z.infer<typeof LiveNotification>

/** A geofence or point of interest was made, changed or deleted: fetch them again. */
export const LivePlace = z.object({
  kind: z.enum(['geofence', 'pointOfInterest']),
  id: Id,
  change: z.enum(['added', 'changed', 'removed']),
})
export type LivePlace = z.infer<typeof LivePlace>

/** An order was made or changed: fetch it again. */
export const LiveOrder = z.object({ id: Id })
export type LiveOrder = z.infer<typeof LiveOrder>

/** A shipment was made or changed: fetch it again. */
export const LiveShipment = z.object({ id: Id })
export type LiveShipment = z.infer<typeof LiveShipment>

/**
 * The first event of a stream, which has what happened from `at` on. Not resumed: events may have been missed, so fetch
 * again what is shown and was begun (`begunAtHeader`) before.
 */
export const LiveHello = z.object({ at: Instant, resumed: z.boolean() })
/** Events were lost, or what the person may see has changed: fetch everything shown again. */
export const LiveResync = z.object({ reason: z.enum(['missed', 'slow', 'visibility']) })
/** The stream ends. `session`: log out. `permissions`: fetch the profile, then connect again. `restart`: connect again. */
export const LiveClosed = z.object({ reason: z.enum(['session', 'permissions', 'visibility', 'slow', 'restart']) })
/** Every 15 s; without one for 40 s the connection is dead. */
export const LiveHeartbeat = z.object({ at: Instant })

/** Server-sent events by name: `event: reading`, `data:` this shape as JSON, `id:` to send back as Last-Event-ID. */
export const liveEvents = {
  hello: LiveHello,
  heartbeat: LiveHeartbeat,
  resync: LiveResync,
  closed: LiveClosed,
  reading: LiveReading,
  excursion: LiveExcursion,
  device: LiveDevice,
  trigger: LiveTrigger,
  notification: LiveNotification,
  place: LivePlace,
  order: LiveOrder,
  shipment: LiveShipment,
}
export type LiveEventName = keyof typeof liveEvents
export type LiveEvent = { [K in LiveEventName]: { event: K; data: z.infer<(typeof liveEvents)[K]> } }[LiveEventName]

export const heartbeatMs = 15_000

export const live = {
  stream: get('/live', {
    needs: 'session',
    summary:
      'Server-sent events: readings, excursions and device changes the person may see; resumes after Last-Event-ID',
    returns: file('text/event-stream'),
  }),
}
