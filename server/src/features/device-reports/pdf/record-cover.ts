import type { BudgetState } from '@isotherm/contract/record-budget.ts'
import type { RecordAttachment, RecordDetails, RecordNote } from '@isotherm/contract/records.ts'
import { shownCoverage } from '@isotherm/contract/shown-figures.ts'
import { type Fact, factTable, issuedFact, periodText, proofFacts } from '../../../reporting/facts.ts'
import type { Digest } from '../../../reporting/layout.ts'
import { dim, heading, ink, type Paper, paragraph, sheet, textWidth, tones, wash } from '../../../reporting/paper.ts'
import { verdictTone } from '../../../reporting/stats-rows.ts'
import { type Field, table } from '../../../reporting/table.ts'
import { printTitle } from '../../../reporting/title.ts'
import type { RecordContent } from '../record-content.ts'

const two = (first: number) => [
  { title: '', width: first },
  { title: '', width: textWidth - first },
]

/** The record, its results, the rest of its budget, who signed it, and what was written and attached. */
export function recordCover(paper: Paper, content: RecordContent, digest: Digest) {
  const { record, company, verifyUrl } = content
  printTitle(paper, { title: record.name, subtitle: paper.words.t('record.subtitle', { company }), verifyUrl })
  printVerdict(paper, content)
  printFacts(paper, content, digest)
  printDevices(paper, content)
  if (record.budget) printBudget(paper, record.budget)
  printSignatures(paper, record)
  printPapers(paper, record)
}

function printVerdict(paper: Paper, { verdict, record }: RecordContent) {
  const { doc, words } = paper
  const color = tones[verdictTone[verdict]]
  doc.rect(sheet.left, paper.y, textWidth, 34).fill(wash)
  doc.rect(sheet.left, paper.y, 4, 34).fill(color)
  const head = words.t(`verdict.${verdict}`)
  doc.font('strong').fontSize(12).fillColor(color)
  doc.text(head, sheet.left + 14, paper.y + 9.5, { lineBreak: false })
  const left = sheet.left + 14 + doc.widthOfString(head) + 14
  doc.font('text').fontSize(8).fillColor(ink)
  const text = words.t('record.worst', { count: record.excursions, total: words.number(record.excursions) })
  doc.text(text, left, paper.y + 12, { width: sheet.width - sheet.right - left - 8, lineBreak: false, ellipsis: true })
  paper.y += 40
}

function printFacts(paper: Paper, content: RecordContent, digest: Digest) {
  const { words } = paper
  const { time, t } = words
  const { record } = content
  const at = time
  const state = record.state === 'ended' && record.endedBy ? `ended.${record.endedBy}` : 'running'
  const group = record.group?.name ?? record.formerGroup
  const rows: Fact[] = [
    [t('company'), content.company],
    ...(group ? [[t('record.group'), group] as Fact] : []),
    ...(record.lot ? [[t('record.lot'), record.lot] as Fact] : []),
    [t('period'), periodText(words, content.period)],
    [t('record.state'), t(`record.${state}`, { name: record.destination?.name ?? '' })],
    ...(record.destination ? [[t('record.destination'), record.destination.name] as Fact] : []),
    [t('record.made'), t('generatedBy', { at: at(record.createdAt), name: record.createdBy })],
    [t('zone'), content.zone],
    [t('readings'), words.number(digest.readings)],
    issuedFact(words, content),
    ...proofFacts(words, content.key, digest.dataSha256, content.verifyUrl),
  ]
  heading(paper, t('about'))
  factTable(paper, rows)
  if (record.hiddenDevices > 0) paragraph(paper, t('record.hidden', { count: record.hiddenDevices }), { size: 7 })
}

/** Each device with its figures in a line; swaps and retirements are told, not lost. */
function printDevices(paper: Paper, { record, devices, unattended }: RecordContent) {
  const { t, time, celsius, percent, duration, dash } = paper.words
  heading(paper, t('record.devices'))
  const widths = [186, 86, 62, 62, 62, textWidth - 458]
  const titles = ['device', 'verdict', 'lowest', 'highest', 'out', 'coverage']
  table(
    paper,
    titles.map((name, index) => ({ title: t(`record.columns.${name}`), width: widths[index] ?? 0 })),
    devices.map((device): (string | Field)[] => {
      const inRecord = record.devices.find(({ id }) => id === String(device.deviceId))
      const { verdict, min, max, aboveMs, belowMs, coveragePct } = device.stats.temperature
      const notes = [
        ...(inRecord?.hardware ?? []).map(({ imei, from }, at) =>
          at === 0 ? imei : t('record.swapped', { imei, at: time(from) }),
        ),
        ...(inRecord?.joinedAt ? [t('record.joined', { at: time(inRecord.joinedAt) })] : []),
        ...(inRecord?.leftAt ? [t('record.left', { at: time(inRecord.leftAt) })] : []),
        ...(inRecord?.decommissionedAt ? [t('record.gone', { at: time(inRecord.decommissionedAt) })] : []),
      ]
      return [
        [device.device.name, ...notes].join('\n'),
        { text: t(`verdict.${verdict}`), color: tones[verdictTone[verdict]], strong: true },
        celsius(min?.value),
        celsius(max?.value),
        duration(aboveMs + belowMs),
        coveragePct === null ? dash : percent(shownCoverage(coveragePct, 2)),
      ]
    }),
  )
  if (unattended.length > 0) {
    const times = paper.words.listed(unattended.map((span) => periodText(paper.words, span)))
    paragraph(paper, t('unattended', { times }), { color: tones.warning })
  }
}

const budgetTones = { ok: tones.ok, low: tones.warning, spent: tones.warm } as const

function printBudget(paper: Paper, budget: BudgetState) {
  const { t, time, celsius, given, duration } = paper.words
  const at = time
  heading(paper, t('record.budget.title'))
  const rows: (string | Field)[][] = []
  for (const side of ['above', 'below'] as const) {
    const one = budget[side]
    if (!one) continue
    const state = one.leftMs === 0 ? 'spent' : one.leftMs < one.allowedMs / 4 ? 'low' : 'ok'
    const spent = one.exhaustedAt ? ` ${t('record.budget.exhausted', { at: at(one.exhaustedAt) })}` : ''
    rows.push([
      t(`record.budget.${side}`, { limit: given(one.limitC, '°C'), allowed: duration(one.allowedMs) }),
      { text: t('record.budget.left', { left: duration(one.leftMs) }), color: budgetTones[state], strong: true },
      `${t('record.budget.used', { used: duration(one.usedMs), here: duration(one.usedHereMs) })}${spent}`,
    ])
  }
  for (const side of ['neverAbove', 'neverBelow'] as const) {
    const one = budget[side]
    if (!one) continue
    rows.push([
      t(side === 'neverAbove' ? 'record.budget.neverAbove' : 'record.budget.neverBelow', {
        limit: given(one.limitC, '°C'),
      }),
      one.brokenAt
        ? { text: celsius(one.worstC), color: tones.warm, strong: true }
        : { text: t('record.budget.kept'), color: tones.ok, strong: true },
      one.brokenAt ? t('record.budget.broken', { at: at(one.brokenAt) }) : '',
    ])
  }
  table(
    paper,
    [
      { title: '', width: 180 },
      { title: '', width: 110 },
      { title: '', width: textWidth - 290 },
    ],
    rows,
  )
  const count = budget.earlierRecords
  const earlier = count > 0 ? t('record.budget.earlier', { count }) : ''
  paragraph(paper, `${t('record.budget.note', { at: at(budget.asOf) })} ${earlier}`, { size: 7 })
}

/** 21 CFR 11.50: name, date and time, and meaning, readable on paper too. */
function printSignatures(paper: Paper, { signatures }: RecordDetails) {
  const { t, exactTime } = paper.words
  heading(paper, t('record.signatures.title'))
  if (signatures.length === 0) paragraph(paper, t('record.signatures.none'))
  else
    table(
      paper,
      [
        { title: t('record.signatures.meaning'), width: 92 },
        { title: t('record.signatures.by'), width: 160 },
        { title: t('record.signatures.reason'), width: textWidth - 252 },
      ],
      signatures.map((one): (string | Field)[] => {
        const isVoid = one.changed.length > 0
        const changed = one.changed.map((part) => t(`record.parts.${part}`)).join(', ')
        const tone = isVoid ? tones.warning : one.meaning === 'rejected' ? tones.warm : tones.ok
        const text = t(`record.meanings.${one.meaning}`)
        const signedAt = exactTime(one.signedAt)
        return [
          { text: isVoid ? `${text}\n${t('record.signatures.void')}` : text, color: tone, strong: true },
          `${one.signerName}\n${signedAt}`,
          [one.reason, ...(isVoid ? [t('record.signatures.because', { changed })] : []), `SHA-256 ${one.sha256}`].join(
            '\n',
          ),
        ]
      }),
    )
  paragraph(paper, t('record.signatures.note'), { size: 7 })
}

function printPapers(paper: Paper, { notes, attachments }: RecordDetails) {
  const { t, time, number } = paper.words
  const made = ({ by, at, isAddendum }: RecordNote | RecordAttachment) => ({
    text: [by, time(at), ...(isAddendum ? [t('record.addendum')] : [])].join('\n'),
    color: dim,
  })
  if (notes.length > 0) {
    heading(paper, t('record.notes'))
    table(
      paper,
      two(160),
      notes.map((note) => [made(note), note.text]),
    )
  }
  if (attachments.length > 0) {
    heading(paper, t('record.files'))
    table(
      paper,
      two(160),
      attachments.map((file) => [
        made(file),
        `${file.name} (${number(Math.max(1, Math.round(file.sizeBytes / 1000)))} kB)\nSHA-256 ${file.sha256}`,
      ]),
    )
  }
}
