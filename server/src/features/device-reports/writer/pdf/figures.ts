import type { ReportContent } from '../../content.ts'
import type { Digest } from '../readings.ts'
import { isTold, statsRows } from '../stats-rows.ts'
import type { Words } from '../words.ts'
import { dim, heading, type Paper, paragraph, textWidth, tones } from './paper.ts'
import { table } from './table.ts'

/** Limits through the period, the statistics, and what earlier issues of this report said. */
export function figures(paper: Paper, content: ReportContent, digest: Digest) {
  printLimits(paper, content)
  printStats(paper, content)
  printIssues(paper, content, digest)
}

function printLimits(paper: Paper, { limits }: ReportContent) {
  const { t, clock, range } = paper.words
  heading(paper, t('limits.title'))
  if (limits.length === 0) return paragraph(paper, t('limits.none'))
  const half = textWidth / 4
  table(
    paper,
    [t('limits.from'), t('limits.to'), t('temperature'), t('humidity')].map((title) => ({ title, width: half })),
    limits.map((band) => [
      clock.minute(Date.parse(band.from)),
      clock.minute(Date.parse(band.to)),
      range(band.temperatureMinC, band.temperatureMaxC, '°C'),
      range(band.humidityMinPct, band.humidityMaxPct, '%'),
    ]),
  )
}

function printStats(paper: Paper, content: ReportContent) {
  const { words } = paper
  const { t } = words
  const told = (['temperature', 'humidity'] as const).filter((measure) => isTold(content, measure))
  const own = (textWidth - 150) / told.length
  heading(paper, t('stats.title'))
  table(
    paper,
    [{ title: '', width: 150 }, ...told.map((measure) => ({ title: t(measure), width: own }))],
    statsRows(words).map(([name, tell]) => [
      { text: name, color: dim },
      ...told.map((measure) => {
        const field = tell(content.stats[measure], measure === 'temperature' ? words.celsius : words.percent)
        return typeof field === 'string' ? field : { text: field.text, color: tones[field.tone], strong: true }
      }),
    ]),
  )
  paragraph(paper, t('stats.note'), { size: 7 })
}

function printIssues(paper: Paper, { earlier }: ReportContent, digest: Digest) {
  const { t, clock } = paper.words
  heading(paper, t('issues.title'), 30)
  if (earlier.length === 0) return paragraph(paper, t('issues.none'))
  const widths = [120, 172, 62, textWidth - 354]
  const titles = [t('issues.issued'), t('issues.by'), t('issues.data'), t('issues.since')]
  table(
    paper,
    titles.map((title, place) => ({ title, width: widths[place] ?? 0 })),
    earlier.map((issue) => {
      const isSame = issue.dataSha256 === digest.dataSha256
      return [
        clock.minute(issue.issuedAt),
        `${issue.issuedBy}\n${issue.key}`,
        isSame ? t('issues.same') : { text: t('issues.different'), color: tones.warning, strong: true },
        sinceOf(paper.words, issue, isSame),
      ]
    }),
  )
}

function sinceOf(
  { t, number }: Words,
  { arrived, changed }: ReportContent['earlier'][number],
  isSame: boolean,
): string {
  const parts = [
    ...(arrived > 0 ? [t('issues.arrived', { count: arrived, total: number(arrived) })] : []),
    ...(changed > 0 ? [t('issues.changed', { count: changed })] : []),
  ]
  if (parts.length > 0) return parts.join(' ')
  return t(isSame ? 'issues.nothing' : 'issues.other')
}
