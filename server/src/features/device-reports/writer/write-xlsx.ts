import type { Writable } from 'node:stream'
import { writeXlsx as writeBook, writeXlsxStream } from 'hucre/xlsx'
import { translate } from '../../../platform/i18n/i18n.ts'
import { drained } from '../../../platform/paper/drained.ts'
import { isTold, statsRows } from '../../../platform/paper/stats-rows.ts'
import { wordsOf } from '../../../platform/paper/words.ts'
import { type Cell, columnsOf } from './columns.ts'
import { factRows } from './fact-rows.ts'
import type { About } from './readings.ts'

/** A book of several sheets is made in memory; of more readings than these only their sheet is written, as a stream. */
const mostInBook = 20_000

/** Sheets of summary, excursions and readings; numbers are numbers, times are times. */
export async function writeXlsx(out: Writable, about: About): Promise<null> {
  const { content, digest, rows } = about
  const { wall, offset, utc, rest } = columnsOf(content)
  const columns = [wall, offset, utc, ...rest]
  const name = translate(content.locale, 'deviceReports:table.sheet')
  const heads = columns.map(({ header, width, format }) => ({ header, width, ...(format ? { numFmt: format } : {}) }))
  async function* cells() {
    for await (const found of rows()) for (const row of found) yield columns.map(({ value }) => value(row))
  }
  if (digest.readings > mostInBook) {
    for await (const chunk of writeXlsxStream(cells(), { name, columns: heads, freezePane: { rows: 1 } }))
      await drained(out, chunk)
    return null
  }
  const readings: Cell[][] = []
  for await (const row of cells()) readings.push(row)
  const book = await writeBook({
    sheets: [summary(about), excursions(about), titled(name, heads, readings)],
  })
  await drained(out, book)
  return null
}

interface Head {
  header: string
  width: number
  numFmt?: string
}

/** A sheet under its column titles. Of given rows the library writes no titles by itself. */
const titled = (name: string, heads: Head[], rows: Cell[][]) => ({
  name,
  columns: heads.map(({ header: _, ...look }) => look),
  rows: [heads.map(({ header }): Cell => header), ...rows],
  freezePane: { rows: 1 },
})

function summary({ content, digest }: About) {
  const words = wordsOf(content.locale, content.zone)
  const told = (['temperature', 'humidity'] as const).filter((measure) => isTold(content, measure))
  const figures = statsRows(words).map(([name, tell]) => [
    name,
    ...told.map((measure) => {
      const field = tell(content.stats[measure], measure === 'temperature' ? words.celsius : words.percent)
      return typeof field === 'string' ? field : field.text
    }),
  ])
  return {
    name: words.t('about').slice(0, 31),
    columns: [{ width: 34 }, { width: 46 }, { width: 46 }],
    rows: [...factRows(words, content, digest), [], ['', ...told.map((measure) => words.t(measure))], ...figures],
  }
}

function excursions({ content }: About) {
  const words = wordsOf(content.locale, content.zone)
  const { t, clock } = words
  const wall = (at: string | null) => (at === null ? null : new Date(clock.wallMs(Date.parse(at))))
  const time = 'yyyy-mm-dd hh:mm:ss'
  const column = (key: string, width: number, numFmt?: string) => ({
    header: t(`excursions.${key}`),
    width,
    ...(numFmt && { numFmt }),
  })
  return titled(
    t('excursions.title').slice(0, 31),
    [
      column('what', 24),
      column('start', 21, time),
      column('end', 21, time),
      column('duration', 16),
      column('limit', 10, '0.00'),
      column('peak', 10, '0.00'),
      column('area', 16, '0.0'),
    ],
    content.excursions.map((one): Cell[] => [
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
