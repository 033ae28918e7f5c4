import { csvLimits } from '@isotherm/contract/csv-import.ts'
import { bulkColumns } from '@isotherm/contract/device-bulk.ts'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { InvalidInput } from '../errors/app-error.ts'
import { csvRecords } from './csv-records.ts'
import { readCsv } from './read-csv.ts'

const readBulkCsv = (csv: string) => readCsv(csv, { columns: bulkColumns, needed: 'imei' })

const faultsOf = (csv: string): { key: string; values: object }[] => {
  try {
    readBulkCsv(csv)
  } catch (error) {
    if (error instanceof InvalidInput) return error.problems.map(({ message }) => message)
    throw error
  }
  return []
}
const named = (csv: string) => faultsOf(csv).map(({ key }) => key.split('.').at(-1))

describe('readCsv', () => {
  test('takes columns in any order and writing, with a byte order mark, commas or semicolons, quotes and any line end', () => {
    const cells = { name: 'Fridge; "A", 1', imei: '490154203237518', licenceKey: 'ISO-1' }
    for (const csv of [
      'name,imei,licenceKey\n"Fridge; ""A"", 1",490154203237518,ISO-1',
      '\ufeffLICENCE_KEY;Imei;Name\r\n ISO-1 ;490154203237518;"Fridge; ""A"", 1"\r\n',
      'Licence key,IMEI,name,,\r"ISO-1","490154203237518","Fridge; ""A"", 1",,',
    ])
      expect(readBulkCsv(csv), csv).toEqual([{ row: 2, cells, problems: [] }])
  })

  test('takes the "Unicode text" of Excel, whose cells tabs part, and a line that names the mark', () => {
    for (const csv of ['\ufeffimei\tname\r\n1\t"A, ""B""; C"\r\n', 'sep=;\r\nimei;name\r\n1;"A, ""B""; C"\r\n']) {
      const [line] = readBulkCsv(csv)
      expect(line?.cells, csv).toEqual({ imei: '1', name: 'A, "B"; C' })
      expect(line?.row).toBe(csv.startsWith('sep') ? 3 : 2)
    }
    expect(readBulkCsv('sep=,\nimei,name\n1,"A;B;C;D"')[0]?.cells.name).toBe('A;B;C;D')
  })

  test('counts rows as a spreadsheet does, empty ones included', () => {
    expect(readBulkCsv('imei\n1\n\n;\n,\n2\n').map(({ row, cells }) => [row, cells.imei])).toEqual([
      [2, '1'],
      [4, ';'],
      [6, '2'],
    ])
  })

  test('takes a sign in front of a number, and no other cell that a spreadsheet would run', () => {
    const [line] = readBulkCsv('imei;temperatureMinC;temperatureMaxC;tag;name\n1;-25;\u22122,5;+3;-x')
    expect(line).toMatchObject({
      cells: { temperatureMinC: '-25', temperatureMaxC: '-2,5', tag: '+3' },
      problems: [{ column: 'name', message: { key: 'fields.rule.csv.formula', values: { sign: '-' } } }],
    })
    expect(readBulkCsv('imei;tag\n1;-0.5 °C')[0]).toMatchObject({ cells: { tag: '-0.5 °C' }, problems: [] })
    for (const cell of ['=1+1', '+cmd|calc', '-1+1', '@SUM(A1)', '=HYPERLINK("http://x")'])
      expect(readBulkCsv(`imei,name\n1,"${cell.replaceAll('"', '""')}"`)[0]?.problems, cell).toHaveLength(1)
  })

  test('takes a phone number as people write it', () => {
    expect(readBulkCsv('imei,name\n1,+234 (803) 123-4567')[0]).toMatchObject({ cells: { name: '+234 (803) 123-4567' } })
  })

  test('says what stands beyond the last column', () => {
    expect(readBulkCsv('imei,name\n1,a,b')[0]?.problems).toEqual([
      { column: null, message: { key: 'fields.rule.csv.tooManyCells', values: { cell: 'b' } } },
    ])
  })

  test('names every fault of the file at once', () => {
    expect(faultsOf('colour,name,NAME,__proto__\na,b,c,d').map(({ key, values }) => [key, values])).toMatchObject([
      ['fields.rule.csv.unknownColumn', { column: 'colour' }],
      ['fields.rule.csv.unknownColumn', { column: '__proto__' }],
      ['fields.rule.csv.columnTwice', { column: 'name' }],
      ['fields.rule.csv.columnMissing', { column: 'imei' }],
    ])
    expect(named('imei,name\n')).toEqual(['empty'])
    expect(named('imei\n\n;\n'.replace(';', ''))).toEqual(['empty'])
    expect(named('imei,name\n"1,2\n3')).toEqual(['broken'])
    expect(named('imei,name\n1"2",3')).toEqual(['broken'])
    expect(named(`imei\n${'1\n'.repeat(csvLimits.rows + 1)}`)).toEqual(['tooManyRows'])
    expect(named(`imei\n${'1\n'.repeat(csvLimits.rows)}`)).toEqual([])
    expect(named('\u0000\u0001')).toEqual(['unknownColumn', 'columnMissing'])
  })
  test('says once of a row that it has too many cells, and refuses the file where they are far too many (H3)', () => {
    expect(readBulkCsv('imei\n1,a,b,c')[0]?.problems).toEqual([
      { column: null, message: { key: 'fields.rule.csv.tooManyCells', values: { cell: 'a' } } },
    ])
    expect(faultsOf(`imei\n1\n${'x,'.repeat(490_000)}`)).toEqual([
      { key: 'fields.rule.csv.tooWide', values: { row: 3, limit: 50 } },
    ])
    expect(named(`imei${'\n'.repeat(900_000)}`)).toEqual(['tooManyRows'])
  })
})

test('records are those of a library for CSV, for whatever cells (H3)', () => {
  const cell = fc.stringMatching(/^[a-c ";,é\n]{0,6}$/)
  const records = fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(
      records,
      fc.constantFrom(',' as const, ';' as const),
      fc.constantFrom('\n', '\r\n'),
      (rows, sign, end) => {
        const text = rows.map((cells) => cells.map((one) => `"${one.replaceAll('"', '""')}" `).join(sign)).join(end)
        expect([...csvRecords(text, sign, 50)]).toEqual(rows)
      },
    ),
    { numRuns: 1000 },
  )
  const raw = fc.stringMatching(/^[a-c ";,\n]{0,30}$/)
  // The library takes a second pair of quotation marks in a cell whose first one is empty; RFC 4180 and we do not.
  const twiceQuoted = /(?:^|[,\n]) *"" +"/
  for (const text of ['"" ""', 'a,"" "b"']) expect(outcome(() => [...csvRecords(text, ',', 50)])).toBe('broken')
  fc.assert(
    fc.property(raw, (text) => {
      fc.pre(!twiceQuoted.test(text))
      expect(outcome(() => [...csvRecords(text, ',', 50)])).toEqual(
        outcome(() => parse(text, { trim: true, delimiter: ',', relax_column_count: true, skip_empty_lines: false })),
      )
    }),
    { numRuns: 3000 },
  )
})

/** The records that are not empty, or that it is no CSV. */
function outcome(read: () => string[][]): unknown {
  try {
    return read().filter((cells) => cells.some((cell) => cell !== ''))
  } catch {
    return 'broken'
  }
}
