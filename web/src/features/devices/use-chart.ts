import type { Period } from '@isotherm/contract/common.ts'
import { type Device, devices } from '@isotherm/contract/devices.ts'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChartPanel, TimeWindow } from '../../charts/model.ts'
import { useCall } from '../../lib/query.ts'
import { panelsOf } from './chart-panels.ts'
import { refined } from './refined.ts'

const points = 1200

/** The chart's panels for a period; while zoomed, the shown part (and as much on either side) in finer buckets. */
export function useChart(device: Pick<Device, 'id'>, period: Period, extras: { battery: boolean; light: boolean }) {
  const { t, i18n } = useTranslation('devices')
  const [part, setPart] = useState<TimeWindow | null>(null)
  const params = { id: device.id }
  const whole = useCall(devices.chart, { params, query: { ...period, points } }, { keepPrevious: true })
  const around = useMemo(() => part && padded(part, period), [part, period])
  const isCoarse = (whole.data?.bucketS ?? 0) > 0
  const fine = useCall(
    devices.chart,
    { params, query: { ...(around ?? period), points } },
    { enabled: around !== null && isCoarse, keepPrevious: true },
  )
  const { battery, light } = extras
  // biome-ignore lint/correctness/useExhaustiveDependencies: the language names the panels
  const words = useMemo(
    () => ({
      temperature: t('columns.temperature'),
      humidity: t('columns.humidity'),
      battery: t('columns.battery'),
      light: t('columns.light'),
    }),
    [t, i18n.language],
  )
  const coarsePanels = useMemo(
    () => (whole.data ? panelsOf(whole.data, words, { battery, light }) : null),
    [whole.data, words, battery, light],
  )
  const finePanels = useMemo(
    () => (around && isCoarse && fine.data ? panelsOf(fine.data, words, { battery, light }) : null),
    [around, isCoarse, fine.data, words, battery, light],
  )
  const panels = useMemo<ChartPanel[] | null>(
    () => coarsePanels && (finePanels ? refined(coarsePanels, finePanels) : coarsePanels),
    [coarsePanels, finePanels],
  )
  return {
    chart: whole.data,
    panels,
    wholePanels: coarsePanels,
    error: whole.error,
    retry: whole.refetch,
    onZoom: setPart,
  }
}

function padded(part: TimeWindow, period: Period): Period {
  const margin = (part.to - part.from) / 2
  return {
    from: new Date(Math.max(Date.parse(period.from), Math.floor(part.from - margin))).toISOString(),
    to: new Date(Math.min(Date.parse(period.to), Math.ceil(part.to + margin))).toISOString(),
  }
}
