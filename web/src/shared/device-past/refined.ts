import type { ChartPanel } from '../../charts/model.ts'

/** The coarse panels with the finer points of a part in place of their own. */
export function refined(coarse: readonly ChartPanel[], fine: readonly ChartPanel[]): ChartPanel[] {
  return coarse.map((panel) => {
    const points = fine.find(({ measure }) => measure === panel.measure)?.points ?? []
    const [first] = points
    const last = points.at(-1)
    if (!first || !last) return panel
    return {
      ...panel,
      points: [
        ...panel.points.filter(({ at }) => at < first.at),
        ...points,
        ...panel.points.filter(({ at }) => at > last.at),
      ],
    }
  })
}
