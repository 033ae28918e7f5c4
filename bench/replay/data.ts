import { existsSync, readFileSync } from 'node:fs'

const folder = new URL('../../../shared/data/', import.meta.url).pathname

export const dataIsThere = (): boolean => existsSync(`${folder}ambient_temperature_f.csv`)

export interface Fix {
  at: number
  lat: number
  lon: number
}

export interface Warmth {
  at: number
  temperatureC: number
}

/** The hourly temperatures of a machine room, in Celsius, moved in time so that the last is at `end`. */
export function temperatures(end: number): Warmth[] {
  const rows = lines('ambient_temperature_f.csv').map((line) => {
    const [at = '', fahrenheit = ''] = line.split(',')
    return { at: Date.parse(`${at.replace(' ', 'T')}Z`), temperatureC: celsius(Number(fahrenheit)) }
  })
  return moved(rows, end)
}

/** Each tracker's trajectories, moved in time so that its last fix is at `end`. */
export function trajectories(end: number): Map<string, Fix[]> {
  const byTracker = new Map<string, Fix[]>()
  for (const line of lines('geolife_small.csv')) {
    const [lon, lat, , , , , tracker = '', at = ''] = line.split(';')
    const fixes = byTracker.get(tracker) ?? []
    fixes.push({ at: Date.parse(at.replace(' ', 'T').replace('+00', 'Z')), lat: Number(lat), lon: Number(lon) })
    byTracker.set(tracker, fixes)
  }
  return new Map([...byTracker].map(([tracker, fixes]) => [tracker, moved(fixes, end)]))
}

const celsius = (fahrenheit: number) => Math.round(((fahrenheit - 32) * 500) / 9) / 100

const lines = (name: string) =>
  readFileSync(`${folder}${name}`, 'utf8')
    .split(/\r?\n/)
    .slice(1)
    .filter((line) => line !== '')

function moved<T extends { at: number }>(rows: T[], end: number): T[] {
  const by = end - Math.max(...rows.map((row) => row.at))
  return rows.map((row) => ({ ...row, at: row.at + by })).sort((a, b) => a.at - b.at)
}
