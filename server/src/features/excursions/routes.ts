import type { Period } from '@isotherm/contract/common.ts'
import {
  defaultPeriodDays,
  type Excursion,
  type ExcursionSummary,
  type excursions,
} from '@isotherm/contract/excursions.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import { deviceIdOf, findVisible } from '../../core/devices/visible-devices.ts'
import type { Context } from '../../platform/context.ts'
import { everyRow } from '../../platform/db/pages.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { presentExcursion, presentFigures } from './present.ts'
import { addUp, countExcursions, findExcursions, outMs, type Span } from './queries.ts'

/** The period asked for, up to now; each end that was left out has its default. */
function spanOf(ctx: Context, { from, to }: { from?: string | undefined; to?: string | undefined }): Span {
  const now = ctx.clock.now().getTime()
  const end = Math.min(to === undefined ? now : Date.parse(to), now)
  return { from: from === undefined ? end - defaultPeriodDays * 86_400_000 : Date.parse(from), to: end }
}

type ExcursionPageQuery = Parameters<typeof findExcursions>[2] & { from?: string | undefined; to?: string | undefined }

async function page(ctx: Context, wanted: ExcursionPageQuery) {
  const span = spanOf(ctx, wanted)
  const total = await countExcursions(ctx, span, wanted)
  const rows = await findExcursions(ctx, span, wanted)
  return { data: rows.map(presentExcursion), meta: metaOf(wanted, total) }
}

/** All excursions of a device that reach into a period, by their beginning; throws NOT_FOUND. */
export async function* excursionsOf(ctx: Context, deviceId: string, period: Period): AsyncGenerator<Excursion> {
  const { id } = await findVisible(ctx, deviceIdOf(deviceId))
  const span = spanOf(ctx, period)
  for await (const row of everyRow((page) => findExcursions(ctx, span, { ...page, deviceId: id, sort: 'start' })))
    yield presentExcursion(row)
}

async function summarize(
  ctx: Context,
  id: string,
  query: { from?: string | undefined; to?: string | undefined },
): Promise<ExcursionSummary> {
  const device = await findVisible(ctx, deviceIdOf(id))
  const asked = spanOf(ctx, query)
  const span = { from: asked.from, to: Math.min(asked.to, device.shownUntil) }
  const isEmpty = span.to < span.from
  const rows = isEmpty ? [] : await addUp(ctx, device.id, span, device.shownUntil)
  return {
    period: { from: new Date(span.from).toISOString(), to: new Date(Math.max(span.from, span.to)).toISOString() },
    count: rows.reduce((sum, row) => sum + row.count, 0),
    outMs: rows.length === 0 ? 0 : await outMs(ctx, device.id, span),
    temperature: presentFigures('temperature', rows),
    humidity: presentFigures('humidity', rows),
  }
}

// A device that cannot be is one that has no excursions.
const filterId = (id: string) => (Number(id) <= 2_147_483_647 ? Number(id) : -1)

export const excursionHandlers: Handlers<typeof excursions> = {
  list: (ctx, { query }) =>
    page(ctx, { ...query, ...(query.device === undefined ? {} : { deviceId: filterId(query.device) }) }),
  ofDevice: async (ctx, { params, query }) => {
    const { id } = await findVisible(ctx, deviceIdOf(params.id))
    return page(ctx, { ...query, deviceId: id })
  },
  summary: (ctx, { params, query }) => summarize(ctx, params.id, query),
}
