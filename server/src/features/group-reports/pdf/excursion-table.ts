import { translate } from '../../../platform/i18n/i18n.ts'
import { explainedTable } from '../../../reporting/excursion-table.ts'
import { heading, type Paper, paragraph, textWidth, tones } from '../../../reporting/paper.ts'
import { type Field, table } from '../../../reporting/table.ts'
import type { GroupReportContent } from '../content.ts'

const widths = [112, 96, 92, 92, 48, 40]

/** The excursions of all devices, by device and beginning; then what people said of them. */
export function excursionTable(paper: Paper, content: GroupReportContent) {
  const { t } = paper.words
  heading(paper, t('excursions.title'), 40)
  if (content.excursions.length === 0) return paragraph(paper, t('excursions.none'))
  const left = textWidth - widths.reduce((sum, width) => sum + width, 0)
  const device = translate(content.locale, 'groupReports:table.device')
  const titles = [
    device,
    ...['what', 'start', 'end', 'duration', 'limit', 'peak'].map((name) => t(`excursions.${name}`)),
  ]
  table(
    paper,
    titles.map((title, index) => ({ title, width: widths[index] ?? left })),
    rowsOf(paper, content),
  )
  if (content.excursionCount > content.excursions.length)
    paragraph(
      paper,
      translate(content.locale, 'groupReports:document.moreExcursions', {
        shown: paper.words.number(content.excursions.length),
        total: paper.words.number(content.excursionCount),
      }),
    )
  explainedTable(paper, content.excursions, device)
}

function* rowsOf({ words }: Paper, { excursions }: GroupReportContent): Generator<(string | Field)[]> {
  const { t, time, duration } = words
  for (const one of excursions) {
    const value = (v: number | null) => (one.measure === 'temperature' ? words.celsius(v) : words.percent(v))
    yield [
      one.deviceName,
      {
        text: t(`excursions.${one.measure}.${one.side}`),
        color: one.side === 'above' ? tones.warm : tones.cold,
      },
      time(one.startAt),
      one.endAt === null ? t('excursions.open') : time(one.endAt),
      duration(one.durationMs),
      words.given(one.limit, one.measure === 'temperature' ? '°C' : '%'),
      value(one.peak),
    ]
  }
}
