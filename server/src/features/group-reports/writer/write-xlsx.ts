import type { Writable } from 'node:stream'
import { writeXlsx as writeBook } from 'hucre/xlsx'
import { translate } from '../../../platform/i18n/i18n.ts'
import { drained } from '../../../platform/paper/drained.ts'
import { wordsOf } from '../../../platform/paper/words.ts'
import type { GroupReportContent } from '../content.ts'
import { columnsOf, rowsOf } from './columns.ts'
import { factRows, totalRows } from './facts.ts'

type Cell = string | number | Date | null
interface Head {
  header: string
  width: number
  numFmt?: string
}

/** A sheet under its column titles. Of given rows the library writes no titles by itself. */
const titled = (name: string, heads: readonly Head[], rows: Cell[][]) => ({
  name: name.slice(0, 31),
  columns: heads.map(({ header: _, ...look }) => look),
  rows: [heads.map(({ header }): Cell => header), ...rows],
  freezePane: { rows: 1 },
})

/** Sheets of summary, devices and excursions; numbers are numbers, times are times. */
export async function writeXlsx(out: Writable, content: GroupReportContent): Promise<null> {
  const book = await writeBook({ sheets: [summary(content), devices(content), excursions(content)] })
  await drained(out, book)
  return null
}

function summary(content: GroupReportContent) {
  const words = wordsOf(content.locale, content.zone)
  const { told, rows } = totalRows(words, content, content.locale)
  return {
    name: words.t('about').slice(0, 31),
    columns: [{ width: 34 }, { width: 46 }, { width: 46 }],
    rows: [...factRows(words, content), [], ['', ...told.map((measure) => words.t(measure))], ...rows] as Cell[][],
  }
}

function devices(content: GroupReportContent) {
  const columns = columnsOf(content)
  const heads = columns.map(({ header, width, format }) => ({ header, width, ...(format && { numFmt: format }) }))
  return titled(translate(content.locale, 'groupReports:document.devices'), heads, [...rowsOf(content, columns)])
}

function excursions({ locale, zone, excursions: all }: GroupReportContent) {
  const words = wordsOf(locale, zone)
  const { t, clock } = words
  const wall = (at: string | null) => (at === null ? null : new Date(clock.wallMs(Date.parse(at))))
  const time = 'yyyy-mm-dd hh:mm:ss'
  const column = (key: string, width: number, numFmt?: string): Head => ({
    header: t(`excursions.${key}`),
    width,
    ...(numFmt && { numFmt }),
  })
  return titled(
    t('excursions.title'),
    [
      { header: translate(locale, 'groupReports:table.device'), width: 32 },
      column('what', 24),
      column('start', 21, time),
      column('end', 21, time),
      column('duration', 16),
      column('limit', 10, '0.00'),
      column('peak', 10, '0.00'),
      column('area', 16, '0.0'),
    ],
    all.map((one): Cell[] => [
      one.deviceName,
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
