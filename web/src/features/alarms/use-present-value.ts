import { devices } from '@isotherm/contract/devices.ts'
import type { Trigger } from '@isotherm/contract/triggers.ts'
import { useNow } from '../../lib/now.ts'
import { useCall } from '../../lib/query.ts'
import { directionOf, measureOf, newestOf, pointsOf } from './present-value.ts'

const hourMs = 3_600_000
const stepMs = 10 * 60_000

/** The device's value now and the last two hours, live; undefined where there is none to be seen. */
export function usePresentValue({ deviceId, condition, state }: Pick<Trigger, 'deviceId' | 'condition' | 'state'>) {
  const measure = measureOf(condition)
  // In steps, so that one question serves for a while: what is measured meanwhile comes by the live stream.
  const to = Math.ceil(useNow() / stepMs) * stepMs
  const from = to - stepMs - 2 * hourMs
  const enabled = measure !== null && state !== 'resolved'
  const device = useCall(devices.one, { params: { id: deviceId } }, { enabled }).data
  const period = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
  const chart = useCall(
    devices.chart,
    { params: { id: deviceId }, query: { ...period, points: 200 } },
    { enabled, keepPrevious: true },
  ).data
  if (!enabled || !device) return undefined
  const newest = newestOf(device, measure)
  const points = chart ? pointsOf(chart, measure, from, newest) : []
  const gapMs = Math.max(3 * device.intervalS, 2 * (chart?.bucketS ?? 0)) * 1000
  return { newest, points, direction: directionOf(points, measure), from, to: to - stepMs, gapMs }
}
