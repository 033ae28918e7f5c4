import { expect, test } from 'vitest'
import { lowest, openPaper, type Paper, paragraph, sheet } from './paper.ts'
import { headedTable, keptTable, shares, table } from './table.ts'
import { wordsOf } from './words.ts'

/** A sheet that is filled down to `y`, and what is written from then on: [page, text]. */
async function paperAt(y: number): Promise<{ paper: Paper; written: [page: number, text: string][] }> {
  const frame = { head: '', foot: '', total: 1 }
  const paper = await openPaper(wordsOf('en', 'UTC'), { title: 'T', author: 'A', locale: 'en' }, frame)
  paper.newPage()
  paper.y = y
  const written: [number, string][] = []
  const { doc } = paper
  const text = doc.text.bind(doc) as (...given: unknown[]) => typeof doc
  Object.assign(doc, {
    text(said: string, ...more: unknown[]) {
      written.push([paper.pages, said])
      return text(said, ...more)
    },
  })
  return { paper, written }
}

const columns = shares(['Name'], [1])
const rows = (count: number) => Array.from({ length: count }, (_, n) => [{ text: `Row ${n + 1}` }])
const pageOf = (written: readonly [number, string][], said: string) =>
  written.findLast(([, text]) => text === said)?.[0]

test('a sentence that closes a table is on the page of the last row, wherever the table begins', async () => {
  for (let y = sheet.top; y < lowest; y += 9) {
    const { paper, written } = await paperAt(y)
    keptTable(paper, 'Measured', columns, rows(20), 'Never out of range')
    expect([y, pageOf(written, 'Never out of range')]).toEqual([y, pageOf(written, 'Row 20')])
    expect(paper.y).toBeLessThanOrEqual(lowest)
  }
})

test('a short table stays whole, and a long one leaves no more than a third of a page empty', async () => {
  const third = (lowest - sheet.top) / 3
  const short = await paperAt(lowest - 100)
  keptTable(short.paper, 'Short', columns, rows(8))
  expect([pageOf(short.written, 'Short'), pageOf(short.written, 'Row 1'), pageOf(short.written, 'Row 8')]).toEqual([
    ...[2, 2, 2],
  ])
  const long = await paperAt(lowest - third - 60)
  keptTable(long.paper, 'Long', columns, rows(30))
  expect([pageOf(long.written, 'Long'), pageOf(long.written, 'Row 1'), pageOf(long.written, 'Row 30')]).toEqual([
    ...[1, 1, 2],
  ])
  // The names of its columns stand on both pages.
  expect(long.written.filter(([, text]) => text === 'Name').map(([page]) => page)).toEqual([1, 2])
})

test('a table that goes on has several rows on its last page', async () => {
  for (let y = lowest - 360; y < lowest - 180; y += 12) {
    const { paper, written } = await paperAt(y)
    keptTable(paper, 'Statistics', columns, rows(18))
    const last = written.filter(([page, text]) => page === paper.pages && text.startsWith('Row ')).length
    expect([y, Math.min(last, 4)]).toEqual([y, 4])
  }
})

test('a heading is on the page of the first row of its table, however high that is, and of nothing without rows', async () => {
  const high = [['High\nand\nhigh\nand\nhigh\nand\nhigh'], ['Next']]
  for (let y = sheet.top; y < lowest; y += 9) {
    const { paper, written } = await paperAt(y)
    headedTable(paper, 'Excursions', columns, high)
    expect([y, pageOf(written, 'Excursions')]).toEqual([y, pageOf(written, high[0]?.[0] ?? '')])
    expect(pageOf(written, 'Next')).toBeDefined()
  }
  const { paper, written } = await paperAt(sheet.top)
  headedTable(paper, 'Nothing', columns, [])
  expect(written.map(([, text]) => text)).toEqual(['Nothing', 'Name'])
})

test.each([
  ['lines', Array.from({ length: 300 }, (_, n) => `Line ${n + 1}`).join('\n')],
  ['words', Array.from({ length: 900 }, (_, n) => `word${n}`).join(' ')],
  ['signs without a space', '🍊'.repeat(2_000)],
])(
  'a text of %s that no page holds goes on from page to page, and the rest of its row is there once',
  async (_, long) => {
    const rows = [
      [long, 'Ada'],
      ['Next', 'Obi'],
    ]
    for (const print of [
      (paper: Paper) => table(paper, shares(['Note', 'By'], [1, 7]), rows),
      (paper: Paper) => paragraph(paper, long, { size: 24 }),
    ]) {
      const { paper, written } = await paperAt(lowest - 100)
      let added = 0
      paper.doc.on('pageAdded', () => {
        added += 1
      })
      print(paper)
      expect(paper.y).toBeLessThanOrEqual(lowest)
      // None that pdfkit began by itself.
      expect(added).toBe(paper.pages - 1)
      expect(added).toBeGreaterThan(1)
      const solid = (text: string) => text.replace(/\s/g, '')
      const parts = written.flatMap(([, text]) => (text && solid(long).includes(solid(text)) ? [text] : []))
      expect(parts.map(solid).join('')).toBe(solid(long))
      expect(parts.every((text) => text.isWellFormed())).toBe(true)
      expect(new Set(['Ada', 'Obi'].map((said) => written.filter(([, text]) => text === said).length)).size).toBe(1)
    }
  },
)
