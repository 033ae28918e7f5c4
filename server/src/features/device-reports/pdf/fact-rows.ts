import { type Fact, issuedFact, periodText, proofFacts } from '../../../reporting/facts.ts'
import type { Digest } from '../../../reporting/layout.ts'
import { intervalsText } from '../../../reporting/stats-tables.ts'
import type { Words } from '../../../reporting/words.ts'
import type { ReportContent } from '../content.ts'

/** Facts as name and value: subject, period, author, and how the file is verified. */
export function factRows(words: Words, content: ReportContent, digest: Digest): Fact[] {
  const { time, t } = words
  const hardware = content.hardware.map(({ imei, probe, from, to }) => {
    const since = Number.isFinite(from) ? time(from) : words.dash
    const name = probe > 1 ? t('imeiProbe', { imei, probe }) : imei
    return t(to === null ? 'imeiSince' : 'imeiFromTo', {
      imei: name,
      from: since,
      to: to === null ? '' : time(to),
    })
  })
  const to = Date.parse(content.period.to)
  const rows: Fact[] = [
    [t('company'), content.company],
    [t('device'), [content.device.name, content.device.tag, content.device.type].filter(Boolean).join(' · ')],
    [t('imeis', { count: hardware.length }), hardware.join('\n') || words.dash],
    [t('period'), periodText(words, content.period)],
    [t('zone'), content.zone],
    [
      t('readings'),
      t('readingsAt', { total: words.number(digest.readings), intervals: intervalsText(words, content) }),
    ],
    issuedFact(words, content),
    ...proofFacts(words, content.key, digest.dataSha256, content.verifyUrl),
  ]
  if (content.until < to) rows.splice(4, 0, [t('until'), t('untilText', { at: time(content.until) })])
  return rows
}
