import type { Period } from '@isotherm/contract/common.ts'
import type { ChartPanel } from '../../charts/model.ts'

/** The period of the same length right before. */
export function periodBefore({ from, to }: Period): Period {
  const lengthMs = Date.parse(to) - Date.parse(from)
  return { from: new Date(Date.parse(from) - lengthMs).toISOString(), to: from }
}

/** The panels with the points of the period before, moved forward by `shiftMs` onto this one. */
export const compared = (panels: ChartPanel[], before: readonly ChartPanel[], shiftMs: number): ChartPanel[] =>
  panels.map((panel) => {
    const points = before.find(({ measure }) => measure === panel.measure)?.points
    return points ? { ...panel, previous: points.map((point) => ({ ...point, at: point.at + shiftMs })) } : panel
  })
