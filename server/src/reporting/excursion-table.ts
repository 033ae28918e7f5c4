import type { Excursion } from '@isotherm/contract/excursions.ts'
import type { DeviceReportData } from './device-report-data.ts'
import { heading, type Paper, paragraph, textWidth, tones } from './paper.ts'
import { type Field, headedTable } from './table.ts'
import type { Words } from './words.ts'

/** Every excursion that reaches into the period, by its beginning; then what people said of them. */
export function excursionTable(paper: Paper, { excursions }: Pick<DeviceReportData, 'excursions'>) {
  const { words } = paper
  const { t } = words
  if (excursions.length === 0) {
    heading(paper, t('excursions.title'), 40)
    return paragraph(paper, t('excursions.none'))
  }
  const widths = [94, 98, 98, 52, 50, 73, textWidth - 465]
  const names = ['what', 'start', 'end', 'duration', 'limit', 'peak', 'area']
  headedTable(
    paper,
    t('excursions.title'),
    names.map((name, index) => ({ title: t(`excursions.${name}`), width: widths[index] ?? 0 })),
    rowsOf(words, excursions),
  )
  explainedTable(paper, excursions)
}

/** Cause, owner and note of excursions; nothing where nobody gave any. `device`: the title of a column that a report of several devices has. */
export function explainedTable(paper: Paper, excursions: readonly Excursion[], device?: string) {
  const { words } = paper
  const explained = excursions.filter(({ annotations }) => annotations.length > 0)
  if (explained.length === 0) return
  const widths = device === undefined ? [98, 110, 90] : [100, 98, 90, 80]
  const left = textWidth - widths.reduce((sum, width) => sum + width, 0)
  const titles = ['start', 'cause', 'owner', 'note'].map((name) => words.t(`excursions.${name}`))
  headedTable(
    paper,
    words.t('excursions.explained'),
    [...(device === undefined ? [] : [device]), ...titles].map((title, index) => ({
      title,
      width: widths[index] ?? left,
    })),
    explained.map(({ deviceName, startAt, annotations: [own] }) => [
      ...(device === undefined ? [] : [deviceName]),
      words.exactTime(startAt),
      own?.cause?.name ?? words.dash,
      own?.owner?.name ?? words.dash,
      own?.note ?? words.dash,
    ]),
  )
}

function* rowsOf(words: Words, excursions: readonly Excursion[]): Generator<(string | Field)[]> {
  const { t, time, exactTime, dash, duration, number } = words
  for (const one of excursions) {
    const value = (v: number | null) => (one.measure === 'temperature' ? words.celsius(v) : words.percent(v))
    const notes = [
      ...(one.isLate ? [t('excursions.late')] : []),
      ...(one.amendedAt ? [t('excursions.amended', { at: time(one.amendedAt) })] : []),
      ...(one.isCutOff ? [t('excursions.cutOff')] : []),
    ]
    yield [
      {
        text: [t(`excursions.${one.measure}.${one.side}`), ...notes].join('\n'),
        color: one.side === 'above' ? tones.warm : tones.cold,
      },
      exactTime(one.startAt),
      one.endAt === null ? t('excursions.open') : exactTime(one.endAt),
      duration(one.durationMs),
      words.given(one.limit, one.measure === 'temperature' ? '°C' : '%'),
      one.peakAt === null ? dash : `${value(one.peak)}\n${words.exactMoment(one.peakAt)}`,
      one.degreeMinutes === null ? dash : number(one.degreeMinutes, 1),
    ]
  }
}
