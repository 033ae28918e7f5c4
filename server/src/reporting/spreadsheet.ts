import type { Excursion } from '@isotherm/contract/excursions.ts'
import type { Words } from './words.ts'

export type Cell = string | number | Date | null
export interface Head {
  header: string
  width: number
  numFmt?: string
}

/** Wall-clock times, as spreadsheets have them: their cells are `Date`s whose UTC fields are what the clocks of the zone showed. */
export const timeFormat = 'yyyy-mm-dd hh:mm:ss'

/** A sheet under its column titles. Of given rows the library writes no titles by itself. */
export const titled = (name: string, heads: readonly Head[], rows: Cell[][]) => ({
  name: name.slice(0, 31),
  columns: heads.map(({ header: _, ...look }) => look),
  rows: [heads.map(({ header }): Cell => header), ...rows],
  freezePane: { rows: 1 },
})

type Measure = 'temperature' | 'humidity'

/** The first sheet: facts by name, then figures by name for each measure that is printed. */
export const summarySheet = (words: Words, facts: Cell[][], printed: readonly Measure[], figures: Cell[][]) => ({
  name: words.t('about').slice(0, 31),
  columns: [{ width: 34 }, { width: 46 }, { width: 46 }],
  rows: [...facts, [], ['', ...printed.map((measure) => words.t(measure))], ...figures],
})

/** A row per excursion; of several devices each with its name, under `deviceTitle`. */
export function excursionsSheet(words: Words, excursions: readonly Excursion[], deviceTitle?: string) {
  const { t, clock } = words
  const wall = (at: string | null) => (at === null ? null : new Date(clock.wallMs(Date.parse(at))))
  const column = (key: string, width: number, numFmt?: string): Head => ({
    header: t(`excursions.${key}`),
    width,
    ...(numFmt && { numFmt }),
  })
  return titled(
    t('excursions.title'),
    [
      ...(deviceTitle === undefined ? [] : [{ header: deviceTitle, width: 32 }]),
      column('what', 24),
      column('start', 21, timeFormat),
      column('end', 21, timeFormat),
      column('duration', 16),
      column('limit', 10, '0.00'),
      column('peak', 10, '0.00'),
      column('area', 16, '0.0'),
    ],
    excursions.map((one): Cell[] => [
      ...(deviceTitle === undefined ? [] : [one.deviceName]),
      t(`excursions.${one.measure}.${one.side}`),
      wall(one.startAt),
      one.endAt === null ? t('excursions.open') : wall(one.endAt),
      words.duration(one.durationMs),
      one.limit,
      one.peak,
      one.degreeMinutes,
    ]),
  )
}
