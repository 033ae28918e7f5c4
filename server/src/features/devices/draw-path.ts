import type { Input } from '@isotherm/contract/call.ts'
import type { DevicePath, devices } from '@isotherm/contract/devices.ts'
import { type Rules, ruleAt } from '../../domain/rules.ts'
import type { Context } from '../../platform/http/context.ts'
import { countReadings } from './history-queries.ts'
import { openHistory } from './history-scope.ts'
import { type FixRow, readFixes, sampleFixes } from './path-queries.ts'
import { degrees, hundredths } from './present.ts'
import { judgeAt } from './read-history.ts'
import { thin } from './thin-path.ts'

// Above this many readings a sample of fixes is looked up instead of reading all.
const mostRead = 5_000
const samples = 1_500

/** Cuts fixes where more than 3 intervals (or the sampling's step) lie between two. */
export function segmentsOf(fixes: readonly FixRow[], rules: Rules, stepMs: number): FixRow[][] {
  const segments: FixRow[][] = []
  let before: FixRow | undefined
  for (const fix of fixes) {
    const hold = before ? ruleAt(rules.temperature, before.at).holdMs : 0
    if (before && fix.at - before.at <= hold + stepMs) segments.at(-1)?.push(fix)
    else segments.push([fix])
    before = fix
  }
  return segments
}

/** The path of a period, thinned to what a map can show; gaps stay gaps. */
export async function drawPath(ctx: Context, { params, query }: Input<typeof devices.mapPoints>): Promise<DevicePath> {
  const scope = await openHistory(ctx, params.id, query)
  const count = await countReadings(ctx, scope)
  const sampled = count > mostRead
  const fixes = sampled ? await sampleFixes(ctx, scope, samples) : await readFixes(ctx, scope)
  const stepMs = sampled ? (scope.to - scope.from) / samples : 0
  const segments = thin(segmentsOf(fixes, scope.rules, stepMs), query.points)
  const kept = segments.reduce((sum, segment) => sum + segment.length, 0)
  return {
    segments: segments.map((segment) => segment.map((fix) => presentFix(fix, scope.rules))),
    leftOut: (sampled ? count : fixes.length) - kept,
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
