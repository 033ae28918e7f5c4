import type { Period } from '@isotherm/contract/common.ts'
import type { Reading } from '@isotherm/contract/device-history.ts'
import { judgementOf } from '@isotherm/contract/device-limits.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import { degrees, hundredths } from '../../domain/measures.ts'
import { type Rules, ruleAt } from '../../domain/rules.ts'
import type { Context } from '../../platform/context.ts'
import { countReadings, type ReadingRow, readPage } from './history-queries.ts'
import { openHistory } from './history-scope.ts'

/** A value in hundredths by the limits of its time. */
export const judgeAt = (rules: Rules, measure: 'temperature' | 'humidity', value: number | null, at: number) => {
  const rule = ruleAt(rules[measure], at)
  return judgementOf(value, rule.min, rule.max)
}

function presentReading(row: ReadingRow, rules: Rules): Reading {
  const at = row.measured_at.getTime()
  return {
    at: row.measured_at.toISOString(),
    receivedAt: row.received_at.toISOString(),
    temperatureC: hundredths(row.temperature_centi),
    humidityPct: hundredths(row.humidity_centi),
    batteryPct: row.battery_pct,
    lightLux: row.light_lux,
    lat: row.lat_e7 === null ? null : degrees(row.lat_e7),
    lon: row.lon_e7 === null ? null : degrees(row.lon_e7),
    temperature: judgeAt(rules, 'temperature', row.temperature_centi, at),
    humidity: judgeAt(rules, 'humidity', row.humidity_centi, at),
  }
}

type HistoryQuery = Period & { page: number; perPage: number; before?: string | undefined }

/** A page of the readings of a period, newest first; where `before` is given, of those before it. Throws NOT_FOUND. */
export async function readHistory(ctx: Context, id: string, query: HistoryQuery) {
  const scope = await openHistory(ctx, id, query)
  const total = await countReadings(ctx, scope)
  const to = query.before === undefined ? scope.to : Math.min(scope.to, Date.parse(query.before) - 1)
  const rows = await readPage(ctx, { ...scope, to }, (query.page - 1) * query.perPage, query.perPage)
  return { data: rows.map((row) => presentReading(row, scope.rules)), meta: metaOf(query, total) }
}

/** The same, with where to go on: new readings shift pages, and leave what is before an instant where it is. Throws NOT_FOUND. */
export async function readHistoryOn(ctx: Context, id: string, query: HistoryQuery) {
  const page = await readHistory(ctx, id, query)
  return { ...page, next: page.data.length === query.perPage ? (page.data.at(-1)?.at ?? null) : null }
}
