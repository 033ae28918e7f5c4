import type { Period } from '@isotherm/contract/common.ts'
import {
  defaultPeriodDays,
  type Excursion,
  type ExcursionSummary,
  type excursions,
  type ListedExcursion,
} from '@isotherm/contract/excursions.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import type { OutsideStretch } from '../../core/devices/device-reader.ts'
import { deviceIdOf, findVisible } from '../../core/devices/visible-devices.ts'
import type { Context } from '../../platform/context.ts'
import { everyRow } from '../../platform/db/pages.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { annotate } from './annotate.ts'
import { addCause, changeCause, listCauses } from './causes.ts'
import { excursionsCsv } from './csv.ts'
import { presentExcursion, presentFigures } from './present.ts'
import { addUp, type ExcursionRow, excursionCounts, findExcursions, outMs, type Span } from './queries.ts'
import { totalsCsv, totalsOf } from './totals.ts'

/** The period asked for, up to now; each end that was left out has its default. */
function spanOf(ctx: Context, { from, to }: { from?: string | undefined; to?: string | undefined }): Span {
  const now = ctx.clock.now().getTime()
  const end = Math.min(to === undefined ? now : Date.parse(to), now)
  return { from: from === undefined ? end - defaultPeriodDays * 86_400_000 : Date.parse(from), to: end }
}

type ExcursionPageQuery = Parameters<typeof findExcursions>[2] & { from?: string | undefined; to?: string | undefined }

/** The links of excursions, from the features that own what they lead to. */
export interface ExcursionLinks {
  triggers(ctx: Context, stretches: readonly OutsideStretch[]): Promise<Linked<ListedExcursion['triggers'][number]>[]>
  records(ctx: Context, stretches: readonly OutsideStretch[]): Promise<Linked<ListedExcursion['records'][number]>[]>
}
type Linked<Link> = Link & { stretch: string }

const linksOf = <Link>(links: readonly Linked<Link>[], id: string) =>
  links.filter(({ stretch }) => stretch === id).map(({ stretch: _, ...link }) => link)

async function listed(ctx: Context, links: ExcursionLinks, rows: readonly ExcursionRow[]) {
  const stretches = rows.map((row) => ({
    id: row.id,
    deviceId: row.device_id,
    measure: row.measure,
    side: row.side,
    from: row.start_at,
    to: row.last_at,
  }))
  const triggers = await links.triggers(ctx, stretches)
  const records = await links.records(ctx, stretches)
  return rows.map((row) => ({
    ...presentExcursion(row),
    triggers: linksOf(triggers, row.id),
    records: linksOf(records, row.id),
  }))
}

async function page(ctx: Context, links: ExcursionLinks, wanted: ExcursionPageQuery) {
  const span = spanOf(ctx, wanted)
  const data = await listed(ctx, links, await findExcursions(ctx, span, wanted))
  const { total, filterCounts } = await excursionCounts(ctx, span, wanted)
  return { data, meta: metaOf(wanted, total), filterCounts }
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

const ofDevice = <Q extends { device?: string | undefined }>({ device, ...query }: Q) => ({
  ...query,
  ...(device !== undefined && { deviceId: filterId(device) }),
})

export const excursionHandlers = (links: ExcursionLinks): Handlers<typeof excursions> => ({
  list: (ctx, { query }) => page(ctx, links, ofDevice(query)),
  exportCsv: (ctx, { query }) => excursionsCsv(ctx, spanOf(ctx, query), ofDevice(query)),
  totals: (ctx, { query }) => totalsOf(ctx, spanOf(ctx, query), ofDevice(query)),
  totalsCsv: (ctx, { query }) => totalsCsv(ctx, spanOf(ctx, query), ofDevice(query)),
  annotate: async (ctx, { body }) => ({ changed: await annotate(ctx, body) }),
  causes: (ctx) => listCauses(ctx),
  addCause: (ctx, { body }) => addCause(ctx, body.name),
  changeCause: (ctx, { params, body }) => changeCause(ctx, params.cause, body),
  ofDevice: async (ctx, { params, query }) => {
    const { id } = await findVisible(ctx, deviceIdOf(params.id))
    return page(ctx, links, { ...query, deviceId: id })
  },
  summary: (ctx, { params, query }) => summarize(ctx, params.id, query),
})
