import type { Period } from '@isotherm/contract/common.ts'
import type { Measure } from '@isotherm/contract/device-limits.ts'
import { type GroupChart, groupLimits } from '@isotherm/contract/groups.ts'
import type { GroupRow } from '../../core/groups/visible-groups.ts'
import { fromCenti, hundredths as inUnits } from '../../domain/measures.ts'
import type { Context } from '../../platform/context.ts'
import {
  type GroupChartQuery,
  type LineRow,
  loadDevices,
  loadMembers,
  loadVisible,
  type Member,
  readBand,
  readBandAndLines,
} from './chart-queries.ts'
import { limitsOfGroup } from './present.ts'

interface GroupChartRequest {
  from: string
  to: string
  measure: Measure
  points: number
}

// More readings than these take longer than people wait: then the hours' rollups answer.
const maxRaw = 60_000
const widthsS = [60, 120, 180, 300, 600, 900, 1800, 3600]

/** A group's devices of now, with its default limits. */
export const drawGroup = async (ctx: Context, group: GroupRow, wanted: GroupChartRequest): Promise<GroupChart> =>
  draw(ctx, await loadMembers(ctx, group.id), wanted, limitsFor(group, wanted.measure))

/** Devices that the caller has found the person may see, without limits; of some only a part is drawn. */
export const drawDevices = async (
  ctx: Context,
  ids: readonly number[],
  wanted: GroupChartRequest,
  parts: ReadonlyMap<number, Period> = new Map(),
): Promise<GroupChart> => {
  const members = (await loadDevices(ctx, ids)).map((member) => ({ ...member, part: parts.get(member.id) }))
  return draw(ctx, members, wanted, { min: null, max: null })
}

/** Those of these devices that the person sees. */
export const compareDevices = async (
  ctx: Context,
  ids: readonly string[],
  wanted: GroupChartRequest,
): Promise<GroupChart> => draw(ctx, await loadVisible(ctx, ids), wanted, { min: null, max: null })

/** Every device's averages by bucket, or beyond 200 devices only the band of all; raw readings for short periods, else rollups. */
async function draw(
  ctx: Context,
  members: readonly Member[],
  wanted: GroupChartRequest,
  limits: GroupChart['limits'],
): Promise<GroupChart> {
  const { measure } = wanted
  const from = Date.parse(wanted.from)
  const to = Math.min(Date.parse(wanted.to), ctx.clock.now().getTime())
  const expected = members.reduce((sum, { interval_s }) => sum + Math.max(0, to - from) / 1000 / interval_s, 0)
  // In a bucket narrower than most devices measure at, the mean would be of some one time and of others the next.
  const atLeast = Math.max((to - from) / 1000 / wanted.points, usualInterval(members))
  const isRaw = expected <= maxRaw && atLeast <= 3600
  const bucketS = isRaw
    ? (widthsS.find((width) => width >= atLeast) ?? 3600)
    : Math.max(1, Math.ceil(atLeast / 3600)) * 3600
  const asked: GroupChartQuery = { members, measure, from, to, bucketS, isRaw }
  const isEmpty = members.length === 0 || to < from
  return {
    measure,
    bucketS,
    devices: members.length,
    limits,
    ...(isEmpty ? nothing : await columnsOf(ctx, asked)),
  }
}

const nothing = { atMs: [], lines: [], band: { min: [], mean: [], max: [] } }

const usualInterval = (members: readonly Member[]) =>
  members.map(({ interval_s }) => interval_s).sort((a, b) => a - b)[Math.floor(members.length / 2)] ?? 0

const limitsFor = (group: GroupRow, measure: Measure): GroupChart['limits'] => {
  const limits = limitsOfGroup(group)
  return measure === 'temperature'
    ? { min: limits?.temperatureMinC ?? null, max: limits?.temperatureMaxC ?? null }
    : { min: limits?.humidityMinPct ?? null, max: limits?.humidityMaxPct ?? null }
}

/** The middle of what a bucket has of the period, ms: else one that began before the period stood outside the chart. */
export const middleOf = (at: number, { from, to, bucketS }: Pick<GroupChartQuery, 'from' | 'to' | 'bucketS'>): number =>
  Math.round((Math.max(at, from) + Math.min(at + bucketS * 1000, to)) / 2)

const hundredths = (centi: number) => Math.round(centi) / 100

async function columnsOf(ctx: Context, asked: GroupChartQuery): Promise<Pick<GroupChart, 'atMs' | 'lines' | 'band'>> {
  const hasLines = asked.members.length <= groupLimits.lines
  const { band, lines } = hasLines
    ? await readBandAndLines(ctx, asked)
    : { band: await readBand(ctx, asked), lines: [] }
  const drawn = hasLines ? linesOf(asked, lines, new Map(band.map(({ at }, index) => [at, index]))) : []
  return {
    atMs: band.map(({ at }) => middleOf(at, asked)),
    lines: drawn,
    band: {
      min: band.map(({ least }) => fromCenti(least)),
      mean: hasLines
        ? meansOf(
            drawn,
            band.map(({ at }) => at / 1000),
            asked.bucketS,
          )
        : band.map(({ mean }) => hundredths(mean)),
      max: band.map(({ most }) => fromCenti(most)),
    },
  }
}

/** A line of every device, also of those that were silent. */
function linesOf(
  { members, measure }: GroupChartQuery,
  rows: readonly LineRow[],
  places: ReadonlyMap<number, number>,
): GroupChart['lines'] {
  const found = new Map(rows.map((row) => [row.id, row]))
  return members.map(({ id, name, interval_s, ...member }) => {
    const values = new Array<number | null>(places.size).fill(null)
    const { at, mean } = found.get(id) ?? { at: [], mean: [] }
    for (const [index, start] of at.entries()) {
      const place = places.get(start)
      if (place !== undefined) values[place] = hundredths(mean[index] ?? 0)
    }
    const limits = {
      min: inUnits(member[`${measure}_min_centi`]),
      max: inUnits(member[`${measure}_max_centi`]),
    }
    return { deviceId: String(id), name, intervalS: interval_s, values, limits }
  })
}

// A value holds until the next one, at most three intervals: as in the statistics.
const held = 3

/**
 * The mean of the devices at each bucket (`atS`, seconds), each with the value it holds: else it would jump between those
 * that measured in one bucket and those that did in the next.
 */
export function meansOf(
  lines: readonly Pick<GroupChart['lines'][number], 'intervalS' | 'values'>[],
  atS: readonly number[],
  bucketS: number,
): (number | null)[] {
  const sums = atS.map(() => ({ sum: 0, n: 0 }))
  for (const { intervalS, values } of lines) {
    let value: number | null = null
    let until = Number.NEGATIVE_INFINITY
    for (const [index, total] of sums.entries()) {
      const at = atS[index] ?? 0
      const own = values[index] ?? null
      if (own !== null) {
        value = own
        until = at + held * Math.max(bucketS, intervalS)
      }
      if (value === null || at > until) continue
      total.sum += value
      total.n++
    }
  }
  return sums.map(({ sum, n }) => (n === 0 ? null : Math.round((sum / n) * 100) / 100))
}
