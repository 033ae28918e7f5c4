import type { DevicePath } from '@isotherm/contract/device-history.ts'
import type { Drawing } from '../../core/devices/device-reader.ts'
import { degrees, hundredths } from '../../domain/measures.ts'
import type { Rules } from '../../domain/rules.ts'
import type { Context } from '../../platform/context.ts'
import { countReadings } from './history-queries.ts'
import { type HistoryScope, openHistory } from './history-scope.ts'
import { type FixRow, readFixes, readSilences, sampleFixes } from './path-queries.ts'
import { believable, cutReadings, cutSamples } from './path-segments.ts'
import { judgeAt } from './read-history.ts'
import { thin } from './thin-path.ts'

// Above this many readings a sample of fixes is looked up instead of reading all.
const maxRead = 5_000
const leastSamples = 1_500
// Per point asked for: the thinning then chooses among them those that follow the road.
const samplesPerPoint = 4

interface Cut {
  segments: FixRow[][]
  fixes: number
}

async function readAll(ctx: Context, scope: HistoryScope): Promise<Cut> {
  const segments = cutReadings(await readFixes(ctx, scope), scope.rules)
  return { segments, fixes: segments.reduce((sum, segment) => sum + segment.length, 0) }
}

async function readSample(ctx: Context, scope: HistoryScope, fixes: number, samples: number): Promise<Cut> {
  const shortest = Math.min(...scope.rules.temperature.map(({ holdMs }) => holdMs), Number.MAX_SAFE_INTEGER)
  const silences = await readSilences(ctx, scope, shortest)
  return { segments: cutSamples(await sampleFixes(ctx, scope, samples), silences, scope.rules), fixes }
}

/** The path of a period, without impossible jumps and thinned to what a map can show; gaps stay gaps. Throws NOT_FOUND. */
export async function drawPath(ctx: Context, id: string, drawing: Drawing): Promise<DevicePath> {
  const scope = await openHistory(ctx, id, drawing)
  const count = await countReadings(ctx, scope)
  const samples = Math.max(leastSamples, drawing.points * samplesPerPoint)
  const cut =
    count > Math.max(maxRead, samples) ? await readSample(ctx, scope, count, samples) : await readAll(ctx, scope)
  const segments = thin(believable(cut.segments), drawing.points)
  const kept = segments.reduce((sum, segment) => sum + segment.length, 0)
  return {
    segments: segments.map((segment) => segment.map((fix) => presentFix(fix, scope.rules))),
    leftOut: cut.fixes - kept,
  }
}

const presentFix = (fix: FixRow, rules: Rules) => ({
  at: new Date(fix.at).toISOString(),
  lat: degrees(fix.lat),
  lon: degrees(fix.lon),
  temperatureC: hundredths(fix.temperature),
  humidityPct: hundredths(fix.humidity),
  temperature: judgeAt(rules, 'temperature', fix.temperature, fix.at),
})
