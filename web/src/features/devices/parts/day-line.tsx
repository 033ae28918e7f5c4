import type { Device } from '@isotherm/contract/devices.ts'
import { useMemo } from 'react'
import { Sparkline } from '../../../charts/sparkline.tsx'
import { nowMs } from '../../../lib/now.ts'
import { toneOf } from '../device-state.ts'

const hourMs = 3_600_000

/** The last 24 hours of a device's temperature, from its hourly averages and its newest value. */
export function DayLine({ device, width = 110 }: { device: Device; width?: number }) {
  const { sparkline24h, latest, limits } = device
  const newestAt = latest?.temperatureAt
  const newest = latest?.temperatureC
  const { points, from, to } = useMemo(() => {
    const points = (sparkline24h ?? []).flatMap(({ at, avgC }) =>
      avgC === null ? [] : [{ at: Date.parse(at) + hourMs / 2, value: avgC }],
    )
    const last =
      newestAt && newest !== null && newest !== undefined ? { at: Date.parse(newestAt), value: newest } : null
    const to = nowMs()
    const from = to - 24 * hourMs
    const shown = points.filter((point) => point.at >= from && (!last || point.at < last.at))
    if (last && last.at >= from) shown.push(last)
    return { points: shown, from, to }
  }, [sparkline24h, newestAt, newest])
  return (
    <Sparkline
      points={points}
      limits={{ min: limits.temperatureMinC, max: limits.temperatureMaxC }}
      from={from}
      to={to}
      gapMs={Math.max(1.6 * hourMs, 3 * device.intervalS * 1000)}
      tone={toneOf(device.judgement.temperature, device.status)}
      width={width}
    />
  )
}
