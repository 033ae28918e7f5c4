import type { AlarmRule, Cumulative } from '@isotherm/contract/alarm-rules.ts'
import type { FenceArea } from '@isotherm/contract/places.ts'
import type { Side } from './excursion.ts'
import { toCenti } from './measures.ts'
import type { TotalWindow } from './outside-time.ts'

const minute = 60_000

export type AlarmMeasure = 'temperature' | 'humidity' | 'battery'

/** A value beyond `limit`; normal again at `normal`. Hundredths of a degree Celsius or of a percent. */
export interface ValueCondition {
  kind: 'value'
  name: 'temperatureMin' | 'temperatureMax' | 'humidityMin' | 'humidityMax' | 'batteryMin' | 'batteryMax'
  measure: AlarmMeasure
  side: Side
  limit: number
  normal: number
  delayMs: number
  /** Fires by the time outside in total, more than `ms` of it; null: by a stretch outside. */
  cumulative: { ms: number; window: TotalWindow } | null
}

/** A device that came `direction` of a fence and stayed so. `name` is direction:fence, such as in:g12 or out:p3. */
export interface FenceCondition {
  kind: 'fence'
  name: string
  direction: 'in' | 'out'
  fence: Fence
  delayMs: number
}

/** Nothing measured for `afterMs`. */
export interface SilenceCondition {
  kind: 'silence'
  name: 'noData'
  afterMs: number
}

export type Condition = ValueCondition | FenceCondition | SilenceCondition

/** The settings of a cumulative condition; null for a condition that judges one stretch outside. */
export const cumulativeOf = (condition: Condition): Cumulative | null =>
  condition.kind === 'value' && condition.cumulative
    ? { minutes: condition.cumulative.ms / minute, window: condition.cumulative.window }
    : null

/** A geofence (g) or a point of interest (p). */
export interface Fence {
  /** g<id> or p<id> */
  key: string
  name: string
  area: FenceArea
}

const measures: readonly AlarmMeasure[] = ['temperature', 'humidity', 'battery']

/** The conditions of a rule, one by one. Deleted fences are not watched. */
export function conditionsOf(rule: AlarmRule, fences: ReadonlyMap<string, Fence>): Condition[] {
  if (rule.kind === 'noData') return [{ kind: 'silence', name: 'noData', afterMs: rule.afterMinutes * minute }]
  if (rule.kind === 'fence') {
    const keys = [...rule.geofenceIds.map((id) => `g${id}`), ...rule.pointOfInterestIds.map((id) => `p${id}`)]
    const directions = rule.direction === 'both' ? (['in', 'out'] as const) : [rule.direction]
    return keys.flatMap((key) => {
      const fence = fences.get(key)
      if (!fence) return []
      return directions.map((direction) => ({
        kind: 'fence' as const,
        name: `${direction}:${key}`,
        direction,
        fence,
        delayMs: rule.dwellMinutes * minute,
      }))
    })
  }
  const total = rule.cumulative ?? null
  const cumulative = total && { ms: total.minutes * minute, window: total.window }
  const limits = {
    temperature: { below: rule.temperatureMinC, above: rule.temperatureMaxC },
    humidity: { below: rule.humidityMinPct, above: rule.humidityMaxPct },
    battery: { below: rule.batteryMinPct, above: rule.batteryMaxPct },
  }
  return measures.flatMap((measure) => {
    const back = toCenti(measure === 'temperature' ? rule.deadbandC : rule.deadbandPct)
    return (['below', 'above'] as const).flatMap((side): ValueCondition[] => {
      const wanted = limits[measure][side]
      if (wanted === null) return []
      const limit = toCenti(wanted)
      const normal = side === 'above' ? limit - back : limit + back
      const name = `${measure}${side === 'above' ? 'Max' : 'Min'}` as const
      return [{ kind: 'value', name, measure, side, limit, normal, delayMs: rule.delayMinutes * minute, cumulative }]
    })
  })
}
