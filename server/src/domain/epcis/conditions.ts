import { type EpcisEvent, identified, type Telling, timeOf, travelsOn } from './events.ts'
import type { Beyond, DayOfDevice, ShippedDevice, Spread } from './shipped.ts'

/** Beginnings of times out of range that one element tells of. */
const maxBeyond = 20

const degrees = (hundredths: number): number => Math.round(hundredths) / 100

const spread = (type: 'Temperature' | 'RelativeHumidity', { min, max, mean }: Spread) => ({
  ...{ type, minValue: degrees(min), maxValue: degrees(max), meanValue: degrees(mean) },
  uom: type === 'Temperature' ? 'CEL' : 'P1',
})

/** The readings of one device as an element of a sensor; null without any value. */
function elementOf({ uris }: Telling, { id, place }: ShippedDevice, sum: DayOfDevice, beyond: readonly Beyond[]) {
  const component = `iso:${place}`
  const sensorReport = [
    ...(sum.temperature ? [{ ...spread('Temperature', sum.temperature), component }] : []),
    ...(sum.humidity ? [{ ...spread('RelativeHumidity', sum.humidity), component }] : []),
    ...beyond.slice(0, maxBeyond).map(({ at, value }) => ({
      ...{ type: 'Temperature', exception: 'ALARM_CONDITION', time: at.toISOString() },
      ...{ value: degrees(value), uom: 'CEL', component },
    })),
  ]
  if (sensorReport.length === 0) return null
  return {
    sensorMetadata: {
      ...{ startTime: sum.from.toISOString(), endTime: sum.to.toISOString(), deviceID: uris.device(id) },
      dataProcessingMethod: uris.own('method', 'least-highest-mean-1'),
    },
    sensorReport,
    'iso:readings': sum.readings,
  }
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

function groupBy<T>(list: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of list) {
    const key = keyOf(one)
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return groups
}

const latest = (times: readonly Date[]): Date => new Date(Math.max(...times.map((at) => at.getTime())))

const onTheWay = { bizStep: 'transporting', disposition: 'in_transit' } as const
const standing = { bizStep: 'storing', disposition: 'in_progress' } as const
/** The steps that conditions are told with, and nothing else. */
export const conditionSteps: readonly string[] = [onTheWay.bizStep, standing.bizStep]

/**
 * The conditions of the goods: an event for each day of UTC of each stretch of a leg, with an element for each device, which says whether the goods
 * were on their way or stood. Late readings make another event of a day.
 */
export function conditionEvents(telling: Telling): EpcisEvent[] {
  const { shipped } = telling
  const days = groupBy(shipped.days, ({ stretch, from }) => `${stretch}:${dayOf(from)}`)
  return [...days.values()].flatMap((sums): EpcisEvent[] => {
    const [first] = sums
    const leg = shipped.legs.find(({ id }) => id === first?.legId)
    const sensorElementList = elementsOf(telling, sums)
    if (!first || !leg || sensorElementList.length === 0) return []
    return [
      identified(telling, ['conditions', `${leg.id}:${dayOf(first.from)}`], {
        type: 'ObjectEvent',
        ...timeOf(latest(sums.map(({ to }) => to)), leg.fromZone),
        epcList: travelsOn(telling, leg),
        ...{ action: 'OBSERVE', ...(first.isMoving ? onTheWay : standing) },
        sensorElementList,
      }),
    ]
  })
}

function elementsOf(telling: Telling, sums: readonly DayOfDevice[]) {
  const { devices, beyond } = telling.shipped
  return sums.flatMap((sum) => {
    const device = devices.find(({ id }) => id === sum.deviceId)
    const isWithin = ({ deviceId, at }: Beyond) => deviceId === sum.deviceId && at >= sum.from && at <= sum.to
    const element = device && elementOf(telling, device, sum, beyond.filter(isWithin))
    return element ? [element] : []
  })
}

function total(parts: readonly Spread[]): Spread | null {
  if (parts.length === 0) return null
  const n = parts.reduce((sum, one) => sum + one.n, 0)
  return {
    min: Math.min(...parts.map(({ min }) => min)),
    max: Math.max(...parts.map(({ max }) => max)),
    mean: parts.reduce((sum, one) => sum + one.mean * one.n, 0) / n,
    n,
  }
}

/** All days of a device as one. */
function wholeOf(sums: readonly DayOfDevice[]): DayOfDevice | null {
  const [first] = sums
  if (!first) return null
  const of = (measure: 'temperature' | 'humidity') => total(sums.flatMap((sum) => sum[measure] ?? []))
  return {
    ...first,
    from: new Date(Math.min(...sums.map(({ from }) => from.getTime()))),
    to: latest(sums.map(({ to }) => to)),
    readings: sums.reduce((sum, { readings }) => sum + readings, 0),
    ...{ temperature: of('temperature'), humidity: of('humidity') },
  }
}

/** The evidence behind a verdict: pages and things by their addresses, papers by their hashes (RFC 6920). */
function certified({ naming, uris, shipped: { evidence } }: Telling) {
  const { reportKey, certificates, protocol, papers } = evidence
  const certificationInfo = [
    ...(reportKey ? [`${naming.publicUrl}/verify-report/${reportKey}`] : []),
    ...certificates.map((number) => uris.own('calibration', number)),
    ...(protocol ? [uris.own('treatment', protocol)] : []),
    ...papers.map((hash) => `ni:///sha-256;${hash}`),
  ]
  return certificationInfo.length > 0 ? { certificationInfo } : {}
}

const outcomes: Record<string, string> = { inRange: 'conformant', outOfRange: 'non_conformant' }

/**
 * The verdict of a completed shipment over all of its way. None where devices are hidden from the reader, and none where readings or limits
 * are missing: that is no outcome of an inspection.
 */
export function verdictEvents(telling: Telling): EpcisEvent[] {
  const { shipped, uris } = telling
  const disposition = outcomes[shipped.verdict ?? '']
  if (!disposition || !shipped.endedAt || shipped.hiddenDevices > 0) return []
  const byDevice = [...groupBy(shipped.days, ({ deviceId }) => String(deviceId)).values()]
  const sensorElementList = elementsOf(
    telling,
    byDevice.flatMap((sums) => wholeOf(sums) ?? []),
  )
  if (sensorElementList.length === 0) return []
  return [
    identified(telling, ['verdict'], {
      type: 'ObjectEvent',
      ...timeOf(shipped.endedAt, shipped.destination.timezone),
      epcList: travelsOn(telling, undefined),
      ...{ action: 'OBSERVE', bizStep: 'inspecting', disposition },
      readPoint: { id: uris.place(shipped.destination) },
      sensorElementList,
      ...certified(telling),
    }),
  ]
}
