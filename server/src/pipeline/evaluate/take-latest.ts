import { maxAheadMs } from '../../domain/alarm-silence.ts'
import type { Row } from '../batch.ts'
import type { Latest } from './device-state.ts'

/** Brings the newest values of a device up to date with one reading, which may be older than some of them. */
export function takeLatest(latest: Latest, { at, reading, part }: Row, now: number): void {
  if (at > now + maxAheadMs) {
    latest.clockAheadS = Math.round((at - now) / 1000)
    latest.clockAheadAt = now
    return
  }
  if (isNewer(at, latest.measuredAt)) {
    latest.measuredAt = at
    latest.receivedAt = part.message.receivedAt
  }
  if (reading.temperatureCenti !== null && isNewer(at, latest.temperatureAt)) {
    latest.temperatureCenti = reading.temperatureCenti
    latest.temperatureAt = at
  }
  if (reading.humidityCenti !== null && isNewer(at, latest.humidityAt)) {
    latest.humidityCenti = reading.humidityCenti
    latest.humidityAt = at
  }
  if (reading.lightLux !== null && isNewer(at, latest.lightAt)) {
    latest.lightLux = reading.lightLux
    latest.lightAt = at
  }
  if (reading.batteryPct !== null && isNewer(at, latest.batteryAt)) {
    latest.batteryPct = reading.batteryPct
    latest.batteryAt = at
  }
  if (reading.latE7 !== null && isNewer(at, latest.positionAt)) {
    latest.latE7 = reading.latE7
    latest.lonE7 = reading.lonE7
    latest.accuracyM = reading.accuracyM
    latest.positionAt = at
  }
}

const isNewer = (at: number, known: number | null): boolean => known === null || at > known
