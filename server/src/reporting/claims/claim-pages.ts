import type { Locale } from '@isotherm/contract/common.ts'
import type { NoticePeriods } from '@isotherm/contract/order-evidence.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { type Fact, factTable } from '../facts.ts'
import type { Digest } from '../layout.ts'
import { dim, heading, type Paper, paragraph, textWidth, tones } from '../paper.ts'
import { keptTable } from '../table.ts'
import type { KeptFile } from './claim-parts.ts'

export type Say = (key: string, values?: Record<string, unknown>) => string

/** The texts that claim packs share, below `orderEvidence:claim.`. */
export const claimWords =
  (locale: Locale): Say =>
  (key, values = {}) =>
    translate(locale, `orderEvidence:claim.${key}`, values)

export const even = (titles: string[]) => titles.map((title) => ({ title, width: textWidth / titles.length }))
export const texts = (cells: string[]) => cells.map((text) => ({ text }))

/** Until when a damage is to be told at each stop, and by which rule. */
export function printNotice(
  paper: Paper,
  { notice, issuedAt }: { notice: NoticePeriods; issuedAt: number },
  say: Say,
): void {
  if (notice.stops.length === 0) return
  const { words } = paper
  const left = (until: string) => {
    const ms = Date.parse(until) - issuedAt
    return ms > 0 ? words.duration(ms) : say('notice.over')
  }
  keptTable(
    paper,
    say('notice.title'),
    even([say('facts.receiver'), say('notice.handedOver'), say('notice.until'), say('notice.left')]),
    notice.stops.map(({ name, handedOverAt, until }) =>
      texts([name, words.time(handedOverAt), words.time(until), left(until)]),
    ),
  )
  const rule = say(notice.skipsSundays ? 'notice.ruleWithoutSundays' : 'notice.rule', { count: notice.noticeDays })
  const source = notice.source === null ? say('notice.own') : say(`articles.${notice.carriage}`)
  paragraph(paper, `${rule} ${source}. ${say('notice.noAdvice')}`, { color: tones.warning })
}

/** The hash of the data, and that of each file that the ZIP has as it was kept. */
export function printHashes(
  paper: Paper,
  { files, digest }: { files: readonly KeptFile[]; digest: Digest },
  say: Say,
): void {
  heading(paper, say('hashes.title'))
  factTable(paper, [
    [say('hashes.data'), digest.dataSha256],
    [say('hashes.readings'), paper.words.number(digest.readings)],
    ...files.map(({ name, sha256 }): Fact => [name, sha256]),
  ])
  paragraph(paper, say('hashes.note'), { color: dim })
}
