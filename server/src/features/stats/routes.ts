import type { Period } from '@isotherm/contract/common.ts'
import type { StatsOfImei, stats } from '@isotherm/contract/stats.ts'
import { deviceIdOf } from '../../core/devices/visible-devices.ts'
import type { Measure } from '../../domain/measures.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { statsOf } from './measure-stats.ts'
import { findByImei, openStats, type StatsScope } from './stats-scope.ts'

interface ProbeQuery {
  imei: string
  probe?: number | undefined
}

const dayMs = 86_400_000
const lastDay = (ctx: Context): Period => {
  const now = ctx.clock.now()
  return { from: new Date(now.getTime() - dayMs).toISOString(), to: now.toISOString() }
}

async function open(ctx: Context, { imei, probe }: ProbeQuery, period: Period) {
  const found = await findByImei(ctx, imei, probe)
  const scope = await openStats(ctx, found.id, period)
  return { scope, device: { id: String(found.id), name: scope.name, imei, probe: found.probe } }
}

const periodOf = ({ span }: StatsScope) => ({
  from: new Date(span.from).toISOString(),
  // A period that has not begun is empty.
  to: new Date(Math.max(span.from, span.to)).toISOString(),
})

async function one(ctx: Context, asked: ProbeQuery, period: Period, measure: Measure): Promise<StatsOfImei> {
  const { scope, device } = await open(ctx, asked, period)
  return { device, period: periodOf(scope), stats: await statsOf(ctx, scope, measure) }
}

async function both(ctx: Context, scope: StatsScope) {
  const of = (measure: Measure) => statsOf(ctx, scope, measure)
  const [temperature, humidity] = await Promise.all([of('temperature'), of('humidity')])
  return { period: periodOf(scope), temperature, humidity }
}

/** Those found, in the order asked for, each once. */
async function several(ctx: Context, imeis: readonly string[], period: Period) {
  const data = []
  const unknown: string[] = []
  for (const imei of new Set(imeis)) {
    const found = await open(ctx, { imei }, period).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return null
      throw error
    })
    if (found) data.push({ device: found.device, ...(await both(ctx, found.scope)) })
    else unknown.push(imei)
  }
  return { data, unknown }
}

/** One measure of a device in a group. */
export async function statsOfMember(ctx: Context, deviceId: number, period: Period, measure: Measure) {
  const scope = await openStats(ctx, deviceId, period)
  return { name: scope.name, stats: await statsOf(ctx, scope, measure) }
}

/** Both measures of a device that the person may see, through a period. */
export const statsOfDevice = async (ctx: Context, deviceId: number, period: Period) =>
  both(ctx, await openStats(ctx, deviceId, period))

export const statsHandlers: Handlers<typeof stats> = {
  temperature: (ctx, { params, query }) => one(ctx, { ...params, ...query }, lastDay(ctx), 'temperature'),
  temperatureOf: (ctx, { params, query, body }) => one(ctx, { ...params, ...query }, body, 'temperature'),
  humidity: (ctx, { params, query }) => one(ctx, { ...params, ...query }, lastDay(ctx), 'humidity'),
  humidityOf: (ctx, { params, query, body }) => one(ctx, { ...params, ...query }, body, 'humidity'),
  devices: (ctx, { body }) => several(ctx, body.imei, body),
  device: (ctx, { params, query }) => statsOfDevice(ctx, deviceIdOf(params.id), query),
}
