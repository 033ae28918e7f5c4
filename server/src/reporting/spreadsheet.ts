import type { Excursion } from '@isotherm/contract/excursions.ts'
import type { MeasureStats } from '@isotherm/contract/stats.ts'
import type { Fact } from './facts.ts'
import { statsRows } from './stats-rows.ts'
import { type Cell, type Column, type Sheet, type Table, tableOf, timeFormat } from './tables.ts'
import type { Words } from './words.ts'

type Measure = 'temperature' | 'humidity'

/** The first sheet: facts by name, then figures by name for each measure that is printed. */
export const summarySheet = (words: Words, facts: Fact[], printed: readonly Measure[], figures: Cell[][]): Sheet => ({
  name: words.t('about'),
  widths: [34, 46, 46],
  cells: [...facts, [], ['', ...printed.map((measure) => words.t(measure))], ...figures],
})

/** The figures of the summary of one device. */
export const statsFigures = (
  words: Words,
  stats: Record<Measure, MeasureStats>,
  printed: readonly Measure[],
): Cell[][] =>
  statsRows(words).map(([name, tell]) => [
    name,
    ...printed.map((measure) => {
      const field = tell(stats[measure], measure === 'temperature' ? words.celsius : words.percent)
      return typeof field === 'string' ? field : field.text
    }),
  ])

const instant = (at: string | null) => (at === null ? null : { at: Date.parse(at) })

/** A row per excursion; of several devices each with its name, under `deviceTitle`. */
export function excursionsSheet(words: Words, excursions: readonly Excursion[], deviceTitle?: string): Table {
  const { t } = words
  const column = (key: string, width: number, value: (one: Excursion) => Cell, numFmt?: string): Column<Excursion> => ({
    header: t(`excursions.${key}`),
    width,
    value,
    ...(numFmt && { numFmt }),
  })
  const device = (header: string): Column<Excursion> => ({ header, width: 32, value: ({ deviceName }) => deviceName })
  return tableOf(
    t('excursions.title'),
    [
      ...(deviceTitle === undefined ? [] : [device(deviceTitle)]),
      column('what', 24, (one) => t(`excursions.${one.measure}.${one.side}`)),
      column('start', 21, ({ startAt }) => instant(startAt), timeFormat),
      column('end', 21, ({ endAt }) => instant(endAt) ?? t('excursions.open'), timeFormat),
      column('duration', 16, ({ durationMs }) => words.duration(durationMs)),
      column('limit', 10, ({ limit }) => limit, '0.00'),
      column('peak', 10, ({ peak }) => peak, '0.00'),
      column('area', 16, ({ degreeMinutes }) => degreeMinutes, '0.0'),
      column('cause', 24, ({ annotations: [own] }) => own?.cause?.name ?? null),
      column('note', 40, ({ annotations: [own] }) => own?.note ?? null),
      column('owner', 24, ({ annotations: [own] }) => own?.owner?.name ?? null),
    ],
    [excursions],
  )
}
