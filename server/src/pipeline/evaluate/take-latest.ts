import { maxAheadMs } from '../../domain/alarm-silence.ts'
import type { Row } from '../batch.ts'
import type { Latest } from './device-state.ts'

/** Whether a reading that arrives now was measured in the future, by its device's clock. */
export const isAhead = ({ at }: Pick<Row, 'at'>, now: number): boolean => at > now + maxAheadMs

/** Whether the clock of a device was ahead when it sent last: since a reading in time, it is right. */
export const isClockAhead = ({ clockAheadAt, receivedAt }: Latest): boolean =>
  clockAheadAt !== null && (receivedAt === null || clockAheadAt > receivedAt)

/** Brings the newest values of a device up to date with one reading, which may be older than some of them. */
export function takeLatest(latest: Latest, row: Row, now: number): void {
  const { at, reading, part } = row
  if (isAhead(row, now)) {
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
