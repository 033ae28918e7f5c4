// The thread that reads and checks a file of many rows: see bulk-thread.ts.
import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { bulkLimits } from '@isotherm/contract/bulk-uploads.ts'
import type { BulkLine, BulkLines, BulkRules, KeptFault, KeptPreview, RowFault } from '../../core/bulk/bulk-rules.ts'
import { headingsOf } from '../../core/bulk/headings.ts'
import { oncePerColumn, readLines } from '../../core/bulk/read-lines.ts'
import { readSheet } from '../../platform/sheets/read-sheet.ts'
import { type ReadSheet, SheetRefused } from '../../platform/sheets/sheet.ts'
import type { BulkNews, BulkOrder } from './bulk-thread.ts'
import { writeMarked } from './marked-book.ts'

/** Rows that are told of at once: a piece takes the other side a few milliseconds. */
const piece = 250
const longestValue = 100

const port = parentPort
if (!port) throw new Error('this runs in a thread')
const order = workerData as BulkOrder
const headings = headingsOf(order.kind)
const tell = (news: BulkNews) => port.postMessage(news)
/** Tells, and resolves with the answer. */
async function ask(news: BulkNews): Promise<unknown> {
  const answer = once(port as NonNullable<typeof parentPort>, 'message')
  tell(news)
  return (await answer)[0]
}

type AnyRules = BulkRules<unknown, unknown, unknown>

const kept = ({ row, texts }: BulkLine, { column, message }: RowFault): KeptFault => ({
  ...{ row, column, message },
  value: column === null ? null : (texts[column]?.slice(0, longestValue) ?? null),
})

const wordsOf = (value: unknown): string =>
  Array.isArray(value)
    ? value
        .map((one) =>
          Object.values(one as object)
            .filter(Boolean)
            .join(' '),
        )
        .join('; ')
    : String(value)

/** A list cut off where an answer ends. */
const listed = (faults: readonly KeptFault[]) => faults.slice(0, bulkLimits.errors)

type Shown = ReadonlyMap<BulkLine, Record<string, string>>

/** The first rows as they are understood, below the columns that the file has or that were filled in; beside each what the file says, where that differs. */
function previewOf(
  lines: readonly BulkLine[],
  { columns }: AnyRules,
  { shown, warnings }: Pick<Checked, 'shown' | 'warnings'>,
): KeptPreview {
  const first = lines.slice(0, bulkLimits.previewRows)
  const used = columns.filter(
    ({ name }) => lines.some(({ texts }) => name in texts) || first.some((line) => shown.get(line)?.[name]),
  )
  const textOf = (line: BulkLine, name: string) =>
    shown.get(line)?.[name] ?? (name in line.values ? wordsOf(line.values[name]) : (line.texts[name] ?? ''))
  const inFile = (line: BulkLine, name: string) => {
    const raw = (line.texts[name] ?? '').trim()
    return raw === textOf(line, name) ? null : raw
  }
  return {
    headings: used.map(({ name }) => headings[order.locale][name] ?? name),
    rows: first.map((line) => used.map(({ name }) => textOf(line, name))),
    inFile: first.map((line) => used.map(({ name }) => inFile(line, name))),
    ...{ warnings: listed(warnings), warningCount: warnings.length },
  }
}

type Checked = {
  things: { thing: unknown; lines: number }[]
  faults: KeptFault[]
  warnings: KeptFault[]
  shown: Shown
}
const byRow = (one: KeptFault, other: KeptFault) => (one.row ?? 0) - (other.row ?? 0)

function check(lines: readonly BulkLine[], rules: AnyRules, facts: unknown): Checked {
  const { together, check: checkBy, show } = rules
  const one = checkBy(facts)
  const showOne = show?.(facts, order.locale)
  const previewed = new Set(lines.slice(0, bulkLimits.previewRows))
  const shown = new Map<BulkLine, Record<string, string>>()
  const things: Checked['things'] = []
  const all = together?.(lines) ?? lines.map((line): BulkLines => [line])
  const compared = rules.compare?.(facts)(all)
  const faults = (compared?.faults ?? []).map((fault) => kept(fault.line, fault))
  const warnings = (compared?.warnings ?? []).map((fault) => kept(fault.line, fault))
  let seen = 0
  let told = 0
  for (const some of all) {
    if (seen >= told) {
      tell({ kind: 'progress', share: 0.3 + (0.3 * seen) / lines.length })
      told += piece
    }
    seen += some.length
    const outcome = one(some)
    if ('thing' in outcome) {
      things.push({ thing: outcome.thing, lines: some.length })
      if (showOne && some.some((line) => previewed.has(line)))
        for (const [line, cells] of showOne(outcome.thing, some)) shown.set(line, cells)
    } else
      for (const [line, own] of Map.groupBy(outcome.faults, ({ line }) => line ?? some[0]))
        faults.push(...oncePerColumn(own).map((fault) => kept(line, fault)))
  }
  return { things, shown, faults: faults.toSorted(byRow), warnings: warnings.toSorted(byRow) }
}

/** Things in pieces of about so many lines. */
function* pieces(things: Checked['things']): Generator<unknown[]> {
  let some: unknown[] = []
  let size = 0
  for (const { thing, lines } of things) {
    some.push(thing)
    size += lines
    if (size < piece) continue
    yield some
    some = []
    size = 0
  }
  if (some.length > 0) yield some
}

async function tellWrong(sheet: ReadSheet, preview: KeptPreview, faults: readonly KeptFault[]) {
  await writeMarked(order, sheet, faults, headings)
  tell({ kind: 'wrong', count: faults.length, errors: listed(faults), preview, isMarked: true })
}

async function read(): Promise<void> {
  const { rules } = (await import(order.rules)) as { rules: AnyRules }
  tell({ kind: 'progress', share: 0.05 })
  const sheet = await readSheet(Buffer.from(order.bytes), bulkLimits.rows, order)
  const by = { dateOrder: order.dateOrder, serialShift: sheet.serialShift, locale: order.locale }
  const lines = readLines(sheet, rules.columns, headings, by)
  const { encoding, hiddenRows, otherSheets } = sheet
  tell({ kind: 'read', rows: lines.length, source: { sheet: sheet.sheet, encoding, hiddenRows, otherSheets } })
  const facts = await ask({ kind: 'ask', ask: rules.ask(lines) })
  const { faults, things, ...told } = check(lines, rules, facts)
  const preview = previewOf(lines, rules, told)
  if (faults.length > 0) return tellWrong(sheet, preview, faults)
  await ask({ kind: 'right', makes: things.length, preview })
  for (const some of pieces(things)) await ask({ kind: 'things', things: JSON.stringify(some), count: some.length })
  tell({ kind: 'end' })
}

try {
  await read()
} catch (error) {
  if (!(error instanceof SheetRefused)) throw error
  const errors = error.faults.map((message) => ({ row: null, column: null, message, value: null }))
  tell({ kind: 'wrong', count: errors.length, errors, preview: null, isMarked: false })
}
// Nothing is listened to any more, so the thread ends.
port.unref()
