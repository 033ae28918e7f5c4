import type { Digest } from '../../../reporting/layout.ts'
import { heading, type Paper, paragraph, textWidth, tones } from '../../../reporting/paper.ts'
import { printLimits, printStats } from '../../../reporting/stats-tables.ts'
import { table } from '../../../reporting/table.ts'
import type { Words } from '../../../reporting/words.ts'
import type { ReportContent } from '../content.ts'

/** Limits through the period and the statistics, where they are chosen, and what earlier issues of this report said. */
export function figures(paper: Paper, content: ReportContent, digest: Digest) {
  if (content.contents.includes('stats')) {
    printLimits(paper, content)
    printStats(paper, content)
  }
  printIssues(paper, content, digest)
}

function printIssues(paper: Paper, { earlier }: ReportContent, digest: Digest) {
  const { t, time } = paper.words
  heading(paper, t('issues.title'), 30)
  if (earlier.length === 0) return paragraph(paper, t('issues.none'))
  const widths = [120, 172, 62, textWidth - 354]
  const titles = [t('issues.issued'), t('issues.by'), t('issues.data'), t('issues.since')]
  table(
    paper,
    titles.map((title, index) => ({ title, width: widths[index] ?? 0 })),
    earlier.map((issue) => {
      const isSame = issue.dataSha256 === digest.dataSha256
      return [
        time(issue.issuedAt),
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
