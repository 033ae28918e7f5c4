import { toCenti } from '../../../domain/measures.ts'
import { type Ack, type Decoded, type Reading, type Refused, refusal } from '../inbound-message.ts'
import { faultOf, type SentReading } from './check-reading.ts'
import { ExtraError, extraJson } from './extra.ts'
import { parseInstant } from './instant.ts'

/** More readings, or more answers, in one message are refused: it would be a batch by itself. */
export const maxReadings = 10_000

/** Decodes a JSON body: one reading, or `{readings: [...], acks: [...]}`; each reading stands for itself. */
export function decodeJson(body: unknown): Decoded {
  const decoded: Decoded = { readings: [], refused: [], acks: [] }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    decoded.refused.push(refusal(0, 'MALFORMED', body, { rule: 'object' }))
    return decoded
  }
  const { acks, readings, ...single } = body as Record<string, unknown>
  if (acks !== undefined) decodeAcks(acks, decoded)
  if (readings === undefined) {
    if (acks === undefined || Object.keys(single).length > 0) decodeReading(single, 0, decoded)
  } else if (!Array.isArray(readings)) {
    decoded.refused.push(refusal(0, 'MALFORMED', body, { field: 'readings', rule: 'array' }))
  } else if (readings.length > maxReadings) {
    decoded.refused.push(refusal(0, 'TOO_MANY', body, { limit: maxReadings }))
  } else {
    for (let index = 0; index < readings.length; index++) decodeReading(readings[index], index, decoded)
  }
  return decoded
}

/** Decodes what a device publishes on its `acks` topic: one `{commandId, at, ok}` or a list of them. */
export function decodeAckBody(body: unknown): Decoded {
  const decoded: Decoded = { readings: [], refused: [], acks: [] }
  decodeAcks(body, decoded)
  return decoded
}

function decodeAcks(body: unknown, decoded: Decoded) {
  const list = Array.isArray(body) ? body : [body]
  if (list.length > maxReadings) {
    decoded.refused.push(refusal(0, 'TOO_MANY', body, { limit: maxReadings }))
    return
  }
  list.forEach((item: unknown, index) => {
    const ack = ackOf(item)
    if (ack) decoded.acks.push(ack)
    else decoded.refused.push(refusal(index, 'INVALID', item, { field: 'acks', rule: 'ack' }))
  })
}

function ackOf(item: unknown): Ack | null {
  if (typeof item !== 'object' || item === null) return null
  const { commandId, at, ok } = item as Record<string, unknown>
  if (typeof commandId !== 'string' || !/^[1-9]\d{0,17}$/.test(commandId) || typeof ok !== 'boolean') return null
  if (at === undefined || at === null) return { commandId, at: null, ok }
  const instant = typeof at === 'string' || typeof at === 'number' ? parseInstant(at) : null
  return instant === null ? null : { commandId, at: instant, ok }
}

function decodeReading(item: unknown, index: number, decoded: Decoded) {
  const fault = faultOf(item)
  if (fault) {
    decoded.refused.push(refusal(index, 'INVALID', item, fault))
    return
  }
  const result = readingOf(item as SentReading, index)
  if ('code' in result) decoded.refused.push(result)
  else decoded.readings.push(result)
}

function readingOf(sent: SentReading, index: number): Reading | Refused {
  const { at, temperatureC, humidityPct, batteryPct, lightLux, lat, lon, accuracyM } = sent
  const measuredAt = at === undefined || at === null ? null : parseInstant(at)
  if (measuredAt === null && at !== undefined && at !== null)
    return refusal(index, 'INVALID', sent, { field: 'at', rule: 'instant' })
  if ((typeof lat === 'number') !== (typeof lon === 'number'))
    return refusal(index, 'INVALID', sent, { field: 'lat', rule: 'latAndLon' })
  let extra: string | null
  try {
    extra = extraOf(sent)
  } catch (error) {
    if (!(error instanceof ExtraError)) throw error
    return refusal(index, 'INVALID', sent, { field: 'extra', ...error.reason })
  }
  const reading: Reading = {
    index,
    probe: sent.probe ?? 1,
    measuredAt,
    temperatureCenti: typeof temperatureC === 'number' ? toCenti(temperatureC) : null,
    humidityCenti: typeof humidityPct === 'number' ? toCenti(humidityPct) : null,
    lightLux: rounded(lightLux),
    batteryPct: rounded(batteryPct),
    latE7: typeof lat === 'number' ? Math.round(lat * 1e7) : null,
    lonE7: typeof lon === 'number' ? Math.round(lon * 1e7) : null,
    accuracyM: rounded(accuracyM),
    extra,
    raw: sent,
  }
  return isEmpty(reading) ? refusal(index, 'EMPTY', sent, {}, measuredAt) : reading
}

const rounded = (value: number | null | undefined) => (typeof value === 'number' ? Math.round(value) : null)

const columns = new Set(['at', 'probe', 'temperatureC', 'humidityPct', 'batteryPct', 'lightLux', 'lat', 'lon'])
const reserved = new Set([...columns, 'accuracyM', 'speedKmh', 'extra'])

// Whatever has no column of its own: unknown fields, accuracyM and speedKmh, and what `extra` holds. A reserved name within
// `extra` was not checked as that field: it is kept as evidence, under a name that nobody reads as the field.
function extraOf(sent: SentReading): string | null {
  let rest: Record<string, unknown> | null = null
  for (const key in sent) {
    if (columns.has(key) || sent[key] === null) continue
    rest ??= {}
    if (key === 'extra')
      for (const name in sent.extra) put(rest, reserved.has(name) ? `extra.${name}` : name, sent.extra[name])
    else put(rest, key, sent[key])
  }
  return rest && extraJson(rest)
}

// Also of a field called __proto__.
const put = (fields: Record<string, unknown>, name: string, value: unknown) =>
  Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true })

const isEmpty = (reading: Reading) =>
  reading.temperatureCenti === null &&
  reading.humidityCenti === null &&
  reading.lightLux === null &&
  reading.batteryPct === null &&
  reading.latE7 === null &&
  reading.extra === null
