import { hashKey, slowNoiseAt } from '../random.ts'
import { type Station, stations } from './climate.ts'

export type Ambient = { temperatureC: number; humidityPct: number }

const dayS = 86400
const weatherKey = hashKey('weather')

/** Saturation vapour pressure in hPa over water (Magnus, WMO 2008 constants). */
export function saturationHpa(temperatureC: number): number {
  return 6.112 * Math.exp((17.62 * temperatureC) / (243.12 + temperatureC))
}

/** Monthly normals joined smoothly: each belongs to the middle of its month. `at` in epoch seconds. */
export function seasonal(monthly: readonly number[], at: number): number {
  const year = 365.2425 * dayS
  const months = ((((at % year) + year) % year) / year) * 12 - 0.5
  const first = Math.floor(months)
  const blend = months - first
  const low = monthly[(first + 12) % 12] ?? 0
  const high = monthly[(first + 13) % 12] ?? 0
  return low * (1 - blend) + high * blend
}

/** Share of the daily swing at a solar hour: -1 shortly before sunrise, +1 at about 15 h. */
export function dailySwing(solarHour: number): number {
  return 0.88 * Math.cos(((solarHour - 15) / 12) * Math.PI) + 0.12 * Math.cos(((solarHour - 15) / 6) * Math.PI)
}

export function solarHour(lon: number, at: number): number {
  return (((at / 3600 + lon / 15) % 24) + 24) % 24
}

/**
 * Outside air at a place and an instant (epoch seconds): nearby stations weighted by inverse square distance, their season,
 * the sun's hour, and weather that changes from day to day. Humidity follows from a dew point that keeps through the day.
 */
export function ambientAt(lat: number, lon: number, at: number, atSea = false): Ambient {
  let weight = 0,
    max = 0,
    min = 0,
    humidity = 0,
    anomaly = 0
  for (const [index, station] of stations.entries()) {
    if (station.sea !== atSea) continue
    const w = 1 / (distanceSquared(station, lat, lon) + 0.02)
    weight += w
    max += w * seasonal(station.dailyMaxC, at)
    min += w * seasonal(station.dailyMinC, at)
    humidity += w * seasonal(station.humidityPct, at)
    if (w > 0.002) anomaly += w * slowNoiseAt(weatherKey, at, 1.6 * dayS, index)
  }
  const high = max / weight
  const low = min / weight
  const mean = (high + low) / 2 + (atSea ? 0.4 : 1.1) * (anomaly / weight)
  const temperatureC = mean + ((high - low) / 2) * dailySwing(solarHour(lon, at))
  const vapourHpa = (saturationHpa(mean) * (humidity / weight)) / 100
  return { temperatureC, humidityPct: Math.min(99, (100 * vapourHpa) / saturationHpa(temperatureC)) }
}

function distanceSquared(station: Station, lat: number, lon: number): number {
  const east = (station.lon - lon) * Math.cos((lat * Math.PI) / 180)
  return (station.lat - lat) ** 2 + east ** 2
}

/** Daylight outside in lux: nothing at night, clouded sun by day. */
export function daylightLux(lon: number, at: number): number {
  const height = Math.cos(((solarHour(lon, at) - 12) / 12) * Math.PI)
  return height <= 0 ? 0 : 28000 * height ** 1.3 * (0.75 + 0.2 * slowNoiseAt(weatherKey, at, 5400, 77))
}
