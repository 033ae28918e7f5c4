import { type Decoded, type Reason, type Refused, refusal } from '../inbound-message.ts'
import { decodeJson, maxReadings } from './json.ts'

/** A SenML record after RFC 8428; the fields we use. */
interface SenmlRecord {
  bn?: unknown
  bt?: unknown
  bu?: unknown
  bv?: unknown
  bver?: unknown
  n?: unknown
  u?: unknown
  v?: unknown
  vs?: unknown
  vb?: unknown
  t?: unknown
}

type Kind = { field: string; units: Record<string, (value: number) => number> }
type Groups = Map<string, { index: number; fields: Record<string, unknown> }>
const same = (value: number) => value
const degrees = { Cel: same, K: (kelvin: number) => Math.round((kelvin - 273.15) * 1e6) / 1e6 }
const ratio = (value: number) => value * 100

// Units of the IANA SenML registry. '/' is a ratio of 1.
const kinds = new Map<string, Kind>(
  Object.entries<Kind>({
    temperature: { field: 'temperatureC', units: degrees },
    humidity: { field: 'humidityPct', units: { '%RH': same, '%': same, '/': ratio } },
    battery: { field: 'batteryPct', units: { '%EL': same, '%': same, '/': ratio } },
    illuminance: { field: 'lightLux', units: { lx: same } },
    lat: { field: 'lat', units: { lat: same } },
    lon: { field: 'lon', units: { lon: same } },
    speed: { field: 'speedKmh', units: { 'm/s': (speed: number) => Math.round(speed * 3600) / 1000, 'km/h': same } },
  }),
)
const aliases = new Map([
  ['light', 'illuminance'],
  ['latitude', 'lat'],
  ['longitude', 'lon'],
])

// RFC 8428 section 4.5.3: times below 2^28 are relative to now.
const absoluteFromS = 268_435_456

/**
 * Decodes a SenML pack: its records of one time and probe become one reading. Names end in temperature, humidity, battery,
 * illuminance, lat, lon or speed; a part `probe2` before that names the probe. Other names are kept in `extra`. A record that
 * names another device than the sender, `imei`, is refused: nobody may speak for another.
 */
export function decodeSenml(pack: readonly unknown[], now: number, imei: string): Decoded {
  if (pack.length > maxReadings)
    return { readings: [], refused: [refusal(0, 'TOO_MANY', pack, { limit: maxReadings })], acks: [] }
  const refused: Refused[] = []
  const groups: Groups = new Map()
  const base: SenmlRecord = {}
  pack.forEach((item, index) => {
    const fault = isRecord(item) ? takeRecord(base, item, index, groups, now, imei) : { rule: 'object' as const }
    if (fault) refused.push(refusal(index, 'INVALID', item, { field: 'record', ...fault }))
  })
  const places = [...groups.values()]
  const decoded = decodeJson({ readings: places.map((group) => group.fields) })
  const backTo = <T extends { index: number }>(row: T): T => ({ ...row, index: places[row.index]?.index ?? row.index })
  return {
    readings: decoded.readings.map(backTo),
    refused: [...refused, ...decoded.refused.map(backTo)],
    acks: [],
  }
}

const isRecord = (item: unknown): item is SenmlRecord =>
  typeof item === 'object' && item !== null && !Array.isArray(item)
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** Adds one record to its reading; the answer is what is wrong with it, or null. */
function takeRecord(
  base: SenmlRecord,
  record: SenmlRecord,
  index: number,
  groups: Groups,
  now: number,
  imei: string,
): Reason | null {
  const unknown = Object.keys(record).find((key) => key.endsWith('_'))
  if (unknown) return { field: plain(unknown), rule: 'critical' }
  for (const key of ['bn', 'bt', 'bu', 'bv', 'bver'] as const) if (record[key] !== undefined) base[key] = record[key]
  if (base.bver !== undefined && !(isNumber(base.bver) && base.bver <= 10))
    return { field: 'bver', rule: 'atMost', bound: 10 }
  for (const key of ['bn', 'bu', 'n', 'u', 'vs'] as const) {
    const value = record[key] ?? base[key]
    if (value !== undefined && typeof value !== 'string') return { field: key, rule: 'text' }
  }
  for (const key of ['bt', 'bv', 't', 'v'] as const) {
    const value = record[key] ?? base[key]
    if (value !== undefined && !isNumber(value)) return { field: key, rule: 'number' }
  }
  const value = valueIn(base, record)
  if (value === undefined) return Object.keys(record).some((key) => !key.startsWith('b')) ? { rule: 'noValue' } : null
  const full = `${base.bn ?? ''}${record.n ?? ''}`
  if (namesAnother(full, imei)) return { rule: 'otherDevice' }
  const { kind, name, probe } = nameOf(full)
  const converted = kind && typeof value === 'number' ? inOurUnit(kind, value, record.u ?? base.bu) : value
  if (converted === undefined)
    return { field: plain(name), rule: 'unit', expected: Object.keys(kind?.units ?? {}).join(', ') }
  const at = timeOf(Number(base.bt ?? 0) + Number(record.t ?? 0), now)
  const key = `${at ?? ''}/${probe}`
  const group = groups.get(key) ?? { index, fields: fieldsOf(probe, at) }
  if (name in group.fields) return { field: plain(name), rule: 'twice' }
  group.fields[kind?.field ?? name] = converted
  groups.set(key, group)
  return null
}

// Without a prototype: a record may be named __proto__.
const fieldsOf = (probe: number, at: string | null): Record<string, unknown> =>
  Object.assign(Object.create(null), at === null ? { probe } : { probe, at })

function valueIn(base: SenmlRecord, record: SenmlRecord): unknown {
  if (record.v !== undefined || (base.bv !== undefined && record.vs === undefined && record.vb === undefined))
    return Number(base.bv ?? 0) + Number(record.v ?? 0)
  return record.vs ?? record.vb
}

function nameOf(full: string) {
  const segments = full.split(/[:/]/).filter(Boolean)
  const last = segments.at(-1) ?? ''
  const kind = kinds.get(aliases.get(last) ?? last)
  const probe = /^probe(\d{1,2})$/.exec(segments.at(-2) ?? '')?.[1]
  return { kind, name: kind?.field ?? (last || 'value'), probe: probe ? Number(probe) : 1 }
}

// The URN of an IMEI in any spelling: with hyphens (RFC 7254), without the check digit (14), with a software version (16).
function namesAnother(full: string, imei: string): boolean {
  const named = /imei:([\d-]{14,20})/i.exec(full)?.[1]?.replaceAll('-', '')
  if (named === undefined || named === imei) return false
  return named.length === 15 || named.slice(0, 14) !== imei.slice(0, 14)
}

// A unit left out is the first of its kind.
function inOurUnit(kind: Kind, value: number, unit: unknown): number | undefined {
  if (unit === undefined) return value
  const name = String(unit)
  return Object.hasOwn(kind.units, name) ? kind.units[name]?.(value) : undefined
}

// Shortens the text of a device for a reason that is kept as JSON.
const plain = (text: string) => text.slice(0, 40).replace(/[^ -~]/g, '?')

/** ISO text of a SenML time, or null for "now". */
function timeOf(seconds: number, now: number): string | null {
  if (seconds === 0) return null
  const ms = seconds < absoluteFromS ? now + seconds * 1000 : seconds * 1000
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : 'out of range'
}
