import { z } from 'zod'
import { get, post, put } from './call.ts'
import { GivenInstant, Id, Instant, startBeforeEnd, text } from './common.ts'
import { Chart, DevicePath, Reading } from './device-history.ts'
import { limits } from './limits.ts'
import { Paging, pageOf } from './paging.ts'

/**
 * One device's stretch of use. One it made itself begins with the first reading after it was off, and ends when it is
 * switched off or with the last reading before a long silence: six whole hours of the clock without one, or six of its
 * intervals where those are longer; flight mode is no silence. One made by hand begins and ends when somebody says so,
 * or is ended by the same two.
 */
export const DeviceSession = z.object({
  id: Id,
  deviceId: Id,
  deviceName: z.string(),
  name: z.string().nullable(),
  openedBy: z.enum(['device', 'hand']),
  startedAt: Instant,
  /** Null while it is open. */
  endedAt: Instant.nullable(),
  endedBy: z.enum(['power', 'silence', 'hand', 'decommissioned']).nullable(),
  /** The person who made it, by hand. */
  createdBy: z.string().nullable(),
})
export type DeviceSession = z.infer<typeof DeviceSession>

const sorts = ['startedAt', '-startedAt', 'deviceName', '-deviceName'] as const
const Filters = z.strictObject({
  search: text(100, 0).optional(),
  state: z.enum(['open', 'ended']).optional(),
  deviceId: Id.optional(),
})
export const SessionQuery = Paging.extend({ ...Filters.shape, sort: z.enum(sorts).default('-startedAt') })
export type SessionQuery = z.infer<typeof SessionQuery>
export type SessionFilters = z.infer<typeof Filters>

const notTooLong = ({ startedAt, endedAt }: { startedAt?: string; endedAt?: string }) =>
  !(Date.parse(endedAt ?? '') - Date.parse(startedAt ?? '') > limits.maxPeriodDays * 86_400_000)

/** A session by hand: from now on where no start is given, open where no end is. */
export const NewSession = z
  .strictObject({
    deviceId: Id,
    name: text(80).optional(),
    startedAt: GivenInstant.optional(),
    endedAt: GivenInstant.optional(),
  })
  .superRefine(startBeforeEnd('startedAt', 'endedAt'))
  .refine(notTooLong, { message: 'periodTooLong', path: ['endedAt'], params: { limit: limits.maxPeriodDays } })
export type NewSession = z.infer<typeof NewSession>

export const SessionHistory = z.object({
  session: DeviceSession,
  /** The period of its readings on screens: to its end, or now. */
  from: Instant,
  to: Instant,
  chart: Chart,
  path: DevicePath,
  readings: pageOf(Reading),
})
export type SessionHistory = z.infer<typeof SessionHistory>

export const sessions = {
  list: get('/device-sessions', {
    needs: 'devices.view',
    summary: 'The sessions of the devices the caller may see',
    query: SessionQuery,
    returns: pageOf(DeviceSession),
  }),
  create: post('/device-sessions', {
    needs: 'devices.addOrEdit',
    begins: 'other',
    summary: 'Makes a session by hand, of the past or from now on',
    body: NewSession,
    returns: DeviceSession,
  }),
  count: get('/device-sessions/count', {
    needs: 'devices.view',
    summary: 'How many sessions there are, and how many of them are open',
    query: Filters,
    returns: z.object({ total: z.number().int(), open: z.number().int() }),
  }),
  history: get('/device-sessions/history', {
    needs: 'devices.view',
    summary: 'Readings, chart and path of one session',
    query: z.strictObject({
      id: Id,
      page: Paging.shape.page,
      perPage: Paging.shape.perPage,
      points: z.coerce.number().int().min(10).max(2000).default(500),
    }),
    returns: SessionHistory,
  }),
  one: get('/device-sessions/:id', { needs: 'devices.view', summary: 'One session', returns: DeviceSession }),
  end: put('/device-sessions/:id/end', {
    needs: 'devices.addOrEdit',
    summary: 'Ends an open session now',
    returns: DeviceSession,
  }),
}
