import { formatNumber, thinSpace } from '../lib/numbers.ts'
import type { ChartPanel } from './model.ts'

export const valueText = (panel: Pick<ChartPanel, 'unit' | 'decimals'>, value: number) =>
  `${formatNumber(value, panel.decimals)}${thinSpace}${panel.unit}`
