import type { DeviceReportData } from './device-report-data.ts'
import { dim, heading, type Paper, paragraph, textWidth, tones } from './paper.ts'
import { isPrinted, statsRows } from './stats-rows.ts'
import { keptTable, table } from './table.ts'

/** The limits that held, one after the other. */
export function printLimits(paper: Paper, { limits }: Pick<DeviceReportData, 'limits'>) {
  const { t, time, range } = paper.words
  heading(paper, t('limits.title'))
  if (limits.length === 0) return paragraph(paper, t('limits.none'))
  const half = textWidth / 4
  table(
    paper,
    [t('limits.from'), t('limits.to'), t('temperature'), t('humidity')].map((title) => ({ title, width: half })),
    limits.map((band) => [
      time(band.from),
      time(band.to),
      range(band.temperatureMinC, band.temperatureMaxC, '°C'),
      range(band.humidityMinPct, band.humidityMaxPct, '%'),
    ]),
  )
}

/** The figures of both measures, side by side. */
export function printStats(paper: Paper, content: Pick<DeviceReportData, 'stats' | 'limits'>) {
  const { words } = paper
  const { t } = words
  const printed = (['temperature', 'humidity'] as const).filter((measure) => isPrinted(content, measure))
  const own = (textWidth - 150) / printed.length
  keptTable(
    paper,
    t('stats.title'),
    [{ title: '', width: 150 }, ...printed.map((measure) => ({ title: t(measure), width: own }))],
    statsRows(words).map(([name, tell]) => [
      { text: name, color: dim },
      ...printed.map((measure) => {
        const field = tell(content.stats[measure], measure === 'temperature' ? words.celsius : words.percent)
        return typeof field === 'string'
          ? { text: field }
          : { text: field.text, color: tones[field.tone], strong: true }
      }),
    ]),
    t('stats.note'),
  )
}
