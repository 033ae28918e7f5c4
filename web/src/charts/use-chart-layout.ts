import { useCompany } from '../lib/profile.ts'
import type { ChartLayout } from './model.ts'

/** The company's chart setting. Single axis: a plot with one axis for each measure; multi axis: one plot with all axes. */
export const useChartLayout = (): ChartLayout => (useCompany()?.chartType === 'multi' ? 'shared' : 'stacked')
