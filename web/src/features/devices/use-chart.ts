import type { Period } from '@isotherm/contract/common.ts'
import { type Device, devices } from '@isotherm/contract/devices.ts'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChartPanel, TimeWindow } from '../../charts/model.ts'
import { useCall } from '../../lib/query.ts'
import { panelsOf, type ShownMeasures } from '../../shared/device-past/chart-panels.ts'
import { refined } from '../../shared/device-past/refined.ts'
import { compared, periodBefore } from './compared.ts'

const points = 1200

/** The whole period, as charts and whatever goes along with them ask for it: once. */
export const useWholeChart = (id: string, period: Period) =>
  useCall(devices.chart, { params: { id }, query: { ...period, points } }, { keepPrevious: true })

/**
 * The chart's panels for a period; while zoomed, the shown part (and as much on either side) in finer buckets. With
 * `compare` the period before lies under it.
 */
export function useChart(device: Pick<Device, 'id'>, period: Period, measures: ShownMeasures, compare = false) {
  const { t, i18n } = useTranslation('devices')
  const [part, setPart] = useState<TimeWindow | null>(null)
  const params = { id: device.id }
  const whole = useWholeChart(device.id, period)
  const around = useMemo(() => part && padded(part, period), [part, period])
  const isCoarse = (whole.data?.bucketS ?? 0) > 0
  const fine = useCall(
    devices.chart,
    { params, query: { ...(around ?? period), points } },
    { enabled: around !== null && isCoarse, keepPrevious: true },
  )
  const earlier = useMemo(() => periodBefore(period), [period])
  const before = useCall(
    devices.chart,
    { params, query: { ...earlier, points } },
    { enabled: compare, keepPrevious: true },
  )
  const { temperature, humidity, battery, light } = measures
  const shown = useMemo(() => ({ temperature, humidity, battery, light }), [temperature, humidity, battery, light])
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
    () => (whole.data ? panelsOf(whole.data, words, shown) : null),
    [whole.data, words, shown],
  )
  const finePanels = useMemo(
    () => (around && isCoarse && fine.data ? panelsOf(fine.data, words, shown) : null),
    [around, isCoarse, fine.data, words, shown],
  )
  const ownPanels = useMemo<ChartPanel[] | null>(
    () => coarsePanels && (finePanels ? refined(coarsePanels, finePanels) : coarsePanels),
    [coarsePanels, finePanels],
  )
  const shiftMs = Date.parse(period.to) - Date.parse(period.from)
  const panels = useMemo(
    () =>
      ownPanels && compare && before.data
        ? compared(ownPanels, panelsOf(before.data, words, shown), shiftMs)
        : ownPanels,
    [ownPanels, compare, before.data, words, shown, shiftMs],
  )
  return {
    chart: whole.data,
    /** Something of it still answers the question before. */
    isOld: whole.isPlaceholderData || (compare && before.isPlaceholderData),
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
