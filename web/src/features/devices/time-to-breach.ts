import type { TimeToBreach } from '@isotherm/contract/devices.ts'

/** A forecast as it stands some time after it was made, in whole minutes; null where there is none, or its band is over. */
export function forecastAt(forecast: TimeToBreach | undefined, now: number) {
  if (forecast?.state !== 'heading') return null
  const passed = Math.max(0, (now - Date.parse(forecast.at)) / 60_000)
  const left = (minutes: number) => Math.max(0, Math.round(minutes - passed))
  if (left(forecast.highMinutes) === 0) return null
  return {
    side: forecast.side,
    limitC: forecast.limitC,
    minutes: left(forecast.minutes),
    low: left(forecast.lowMinutes),
    high: left(forecast.highMinutes),
  }
}
