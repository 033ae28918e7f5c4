import type { Input } from '@isotherm/contract/call.ts'
import type { Period } from '@isotherm/contract/common.ts'
import type { Reading } from '@isotherm/contract/device-history.ts'
import { limits } from '@isotherm/contract/limits.ts'
import { type Meta, metaOf } from '@isotherm/contract/paging.ts'
import type { SessionHistory, sessions } from '@isotherm/contract/sessions.ts'
import type { DeviceReader } from '../../core/devices/device-reader.ts'
import type { Context } from '../../platform/context.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { presentSession } from './present.ts'
import { countSessions, pageOfSessions } from './queries.ts'
import { createSession, endSession, getSession } from './verbs.ts'

/** How a device's history is read, which another feature knows. The app puts it in. */
export interface HistoryReader extends Pick<DeviceReader, 'chart' | 'path'> {
  readings(
    ctx: Context,
    id: string,
    query: Period & { page: number; perPage: number },
  ): Promise<{ data: Reading[]; meta: Meta }>
}

export const sessionHandlers = (reader: HistoryReader): Handlers<typeof sessions> => ({
  async list(ctx, { query }) {
    const { search, state, deviceId } = query
    const { total } = await countSessions(ctx, { search, state, deviceId })
    return { data: (await pageOfSessions(ctx, query)).map(presentSession), meta: metaOf(query, total) }
  },
  create: async (ctx, { body }) => presentSession(await createSession(ctx, body)),
  count: (ctx, { query }) => countSessions(ctx, query),
  history: (ctx, { query }) => readSession(ctx, reader, query),
  one: async (ctx, { params }) => presentSession(await getSession(ctx, params.id)),
  end: async (ctx, { params }) => presentSession(await endSession(ctx, params.id)),
})

/** A session with all that was measured in it; of a very long one the newest part. */
async function readSession(
  ctx: Context,
  reader: HistoryReader,
  { id, page, perPage, points }: Input<typeof sessions.history>['query'],
): Promise<SessionHistory> {
  const session = presentSession(await getSession(ctx, id))
  const to = Date.parse(session.endedAt ?? ctx.clock.now().toISOString())
  const longest = limits.maxPeriodDays * 86_400_000
  const from = Math.min(to, Math.max(Date.parse(session.startedAt), to - longest))
  const period = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  return {
    session,
    ...period,
    chart: await reader.chart(ctx, session.deviceId, { ...period, points }),
    path: await reader.path(ctx, session.deviceId, { ...period, points }),
    readings: await reader.readings(ctx, session.deviceId, { ...period, page, perPage }),
  }
}
