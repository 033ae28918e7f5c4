import type { Period } from '@isotherm/contract/common.ts'
import { dim, type Paper, textWidth } from './paper.ts'
import { keptTable, table } from './table.ts'
import type { Words } from './words.ts'

export type Fact = [name: string, value: string]

/** "from … to …", to the minute. */
export const periodText = ({ t, span }: Words, { from, to }: Period): string => t('fromTo', span(from, to))

/** When a report was issued, and for whom. */
export const issuedFact = ({ t, exactTime }: Words, issue: { issuedAt: number; issuedBy: string }): Fact => [
  t('generated'),
  t('generatedBy', {
    at: exactTime(issue.issuedAt),
    name: issue.issuedBy,
  }),
]

/** By what a file can be told from every other, and verified. */
export const proofFacts = ({ t }: Words, key: string, dataSha256: string, verifyUrl: string): Fact[] => [
  [t('id'), key],
  [t('dataHash'), dataSha256],
  [t('verifyAt'), verifyUrl],
]

const factColumns = (nameWidth: number) => [
  { title: '', width: nameWidth },
  { title: '', width: textWidth - nameWidth },
]
const factRows = (facts: readonly Fact[]) => facts.map(([name, value]) => [{ text: name, color: dim }, { text: value }])

export const factTable = (paper: Paper, facts: readonly Fact[], nameWidth = 120) =>
  table(paper, factColumns(nameWidth), factRows(facts))

/** Facts under a heading, on one page where it holds them. */
export const keptFacts = (paper: Paper, title: string, facts: readonly Fact[], nameWidth = 120) =>
  keptTable(paper, title, factColumns(nameWidth), factRows(facts))
