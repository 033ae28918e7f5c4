import type { LiveDevice, LiveExcursion, LiveReading, LiveTrigger } from '@isotherm/contract/live.ts'
import { fromCenti } from '../../domain/measures.ts'
import type { Bus, BusEvent } from '../../platform/bus/bus.ts'
import { inTurns } from '../../platform/loop/turns.ts'
import type { Arrivals, Batch } from '../batch.ts'
import type { DeviceState, Latest } from '../evaluate/device-state.ts'
import { isClockAhead } from '../evaluate/take-latest.ts'
import type { ExcursionWrite, TriggerWrite } from '../evaluate/writes.ts'

const maxPerTurn = 32

/** Tells the browsers, after the commit, in turns: late readings may change excursions by the thousand. */
export async function push(bus: Bus, batch: Batch): Promise<void> {
  for await (const events of inTurns(eventsOf(batch), maxPerTurn, batch.turns))
    for (const event of events) bus.publish(event)
}

/** `data` is a getter: nothing is built where nobody listens. */
function* eventsOf(batch: Batch): Generator<BusEvent> {
  for (const [state, arrivals] of batch.moved) yield readingEvent(state, arrivals)
  for (const write of [...batch.amended, ...batch.excursions]) if (write.change !== 'grew') yield excursionEvent(write)
  for (const write of batch.triggers) if (write.id) yield triggerEvent(write)
  for (const { companyId, deviceId } of batch.answered) {
    const data: LiveDevice = { deviceId: String(deviceId), change: 'commands' }
    yield { companyId, kind: 'device', deviceId, data }
  }
}

const readingEvent = ({ device, latest }: DeviceState, { count, from, to }: Arrivals): BusEvent => ({
  companyId: device.companyId,
  kind: 'reading',
  deviceId: device.id,
  get data(): LiveReading {
    return {
      deviceId: String(device.id),
      count,
      from: iso(from),
      to: iso(to),
      latest: presentLatest(latest),
      position: presentPosition(latest),
      clockAheadS: isClockAhead(latest) ? latest.clockAheadS : null,
    }
  },
})

const excursionEvent = ({ device, measure, id, excursion, late, change }: ExcursionWrite): BusEvent => ({
  companyId: device.companyId,
  kind: 'excursion',
  deviceId: device.id,
  get data(): LiveExcursion {
    return {
      deviceId: String(device.id),
      id,
      measure,
      side: excursion.side,
      startAt: iso(excursion.startAt),
      endAt: isoOrNull(excursion.endAt),
      peak: fromCenti(excursion.peak),
      peakAt: iso(excursion.peakAt),
      state: change === 'grew' ? 'amended' : change,
      late,
    }
  },
})

const triggerEvent = ({ device, alarm, id, firing, kind }: TriggerWrite): BusEvent => ({
  companyId: device.companyId,
  kind: 'trigger',
  deviceId: device.id,
  alarmIsPrivate: alarm.isPrivate,
  get data(): LiveTrigger {
    const state =
      firing.openedAt === null ? 'pending' : firing.normalAt === null && kind !== 'withdraw' ? 'open' : 'normal'
    return { id, deviceId: String(device.id), alarmId: alarm.id, severity: alarm.severity, state }
  },
})

function presentLatest(latest: Latest): LiveReading['latest'] {
  if (latest.measuredAt === null) return null
  return {
    measuredAt: iso(latest.measuredAt),
    receivedAt: iso(latest.receivedAt ?? latest.measuredAt),
    temperatureC: degrees(latest.temperatureCenti),
    temperatureAt: isoOrNull(latest.temperatureAt),
    humidityPct: degrees(latest.humidityCenti),
    humidityAt: isoOrNull(latest.humidityAt),
    batteryPct: latest.batteryPct,
    lightLux: latest.lightLux,
  }
}

function presentPosition({ latE7, lonE7, positionAt, accuracyM }: Latest): LiveReading['position'] {
  if (latE7 === null || lonE7 === null || positionAt === null) return null
  return { lat: latE7 / 1e7, lon: lonE7 / 1e7, at: iso(positionAt), accuracyM }
}

const iso = (at: number) => new Date(at).toISOString()
const isoOrNull = (at: number | null) => (at === null ? null : iso(at))
const degrees = (centi: number | null) => (centi === null ? null : fromCenti(centi))
