import { useMemo } from 'react'
import type { Measure } from '../../charts/model.ts'
import { useUrlSearch } from '../../lib/url-search.ts'

export const measures = ['temperature', 'humidity', 'battery', 'light'] as const satisfies Measure[]
const usual = 'temperature,humidity'

export interface ChartView {
  shown: readonly Measure[]
  compare: boolean
}

/** Reads the chart's view from a URL; the default where it names nothing we know. */
export function viewOf(search: Record<string, unknown>): ChartView {
  const wanted = typeof search.measures === 'string' ? search.measures.split(',') : []
  const shown = measures.filter((measure) => wanted.includes(measure))
  return {
    shown: shown.length > 0 ? shown : measures.filter((measure) => usual.includes(measure)),
    compare: search.compare === 'before',
  }
}

/** The search parameters of a view; what is usual is left out. */
export function searchOfView({ shown, compare }: ChartView): Record<string, string | undefined> {
  const text = measures.filter((measure) => shown.includes(measure)).join(',')
  return { measures: text === usual ? undefined : text, compare: compare ? 'before' : undefined }
}

/** The chart's view in the URL. */
export function useChartView(): ChartView & { show: (next: ChartView) => void } {
  const { search, change } = useUrlSearch()
  const { measures: asked, compare } = search
  const view = useMemo(() => viewOf({ measures: asked, compare }), [asked, compare])
  const show = (next: ChartView) => change(searchOfView(next))
  return { ...view, show }
}
