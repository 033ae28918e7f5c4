import { deflateRawSync } from 'node:zlib'
import { localeNames } from '@isotherm/contract/common.ts'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import type { ReadBy } from '../../../core/bulk/bulk-rules.ts'
import { headingsOf } from '../../../core/bulk/headings.ts'
import { foldHeading, readLines } from '../../../core/bulk/read-lines.ts'
import { choice, code, day, decimal, devicesAt, digits, time, whole, words } from '../../../core/bulk/readers.ts'
import { fileKind } from '../../../platform/sheets/file-kind.ts'
import { readSheet } from '../../../platform/sheets/read-sheet.ts'
import { refuseBomb } from '../../../platform/sheets/refuse-bomb.ts'
import { SheetRefused } from '../../../platform/sheets/sheet.ts'
import { shipmentColumns } from './columns.ts'
import { rules } from './rules.ts'

const iso: ReadBy = { dateOrder: 'iso', serialShift: 0, locale: 'en' }
const dmy: ReadBy = { dateOrder: 'dmy', serialShift: 0, locale: 'en' }
const mdy: ReadBy = { dateOrder: 'mdy', serialShift: 0, locale: 'en' }
const utc = (text: string) => new Date(`${text}:00Z`)
const short = (read: { value: unknown } | { message: { key: string } }) =>
  'value' in read ? read.value : read.message.key.split('.').at(-1)

/** The columns whose values are chosen, each with a value and the language in which it is named. */
const chosen = shipmentColumns.flatMap(({ name, choices, nameIn, read }) =>
  nameIn && Array.isArray(choices)
    ? localeNames.flatMap((locale) =>
        choices.map((value): [string, string, string, typeof read] => [name, value, nameIn(value, locale), read]),
      )
    : [],
)

const termOf = (text: string) =>
  shipmentColumns.find(({ name }) => name === 'incoterm')?.read(text, iso) ?? { value: undefined }

test('a choice is read by its name in the API and in every language', () => {
  expect(chosen.length).toBeGreaterThan(50)
  for (const [column, value, written, read] of chosen)
    for (const text of [value, written]) expect([column, text, short(read(text, iso))]).toEqual([column, text, value])
})

test.each([
  ['en', 'Sea, Air'],
  ['fr', 'Mer, Air'],
] as const)('a fault names choices and columns in the language of the person: %s', async (locale, choices) => {
  const by = { ...iso, locale }
  const mode = shipmentColumns.find(({ name }) => name === 'mode')?.read('moon', by)
  expect(mode).toMatchObject({ message: { values: { choices: expect.stringContaining(choices) } } })
  const sheet = await readSheet(Buffer.from('reference\nPO 1'), 10)
  const headings = headingsOf('shipments')
  const named = () => readLines(sheet, shipmentColumns, headings, by)
  expect(named).toThrow(SheetRefused)
  try {
    named()
  } catch (error) {
    const missing = (error as SheetRefused).faults.map(({ values }) => values.column)
    expect(missing).toContain(headings[locale].destination)
    expect(missing).not.toContain('destination')
  }
})

describe('cells', () => {
  test.each<[string, unknown, unknown]>([
    ['a date of a workbook', short(day(utc('2026-06-24T00:00'), iso)), '2026-06-24'],
    ['a date without its look', short(day(46_197, iso)), '2026-06-24'],
    [
      'the same in a book that counts from 1904',
      short(day(46_197 - 1_462, { ...iso, serialShift: 1_462 })),
      '2026-06-24',
    ],
    ['a time without its look', short(time(46_197.75, iso)), '2026-06-24T18:00'],
    ['a time of a workbook', short(time(utc('2026-06-24T14:30'), iso)), '2026-06-24T14:30'],
    ['29 February 1900, which spreadsheets have', short(day(60, iso)), 'notADate'],
    ['a year behind the century', short(day(80_000, iso)), 'notADate'],
    ['ISO', short(day('2026-06-24', mdy)), '2026-06-24'],
    ['day first, as was said', short(day('03/04/2026', dmy)), '2026-04-03'],
    ['month first, as was said', short(day('03/04/2026', mdy)), '2026-03-04'],
    ['nobody said', short(day('03/04/2026', iso)), 'whichDate'],
    ['even where only one makes sense', short(day('24/06/2026', iso)), 'whichDate'],
    ['with points', short(day('24.06.2026', dmy)), '2026-06-24'],
    ['30 February', short(day('2026-02-30', iso)), 'noSuchDay'],
    ['29 February of no leap year', short(day('29/02/2027', dmy)), 'noSuchDay'],
    ['24:00', short(time('2026-06-24 24:00', iso)), 'noSuchTime'],
    ['a day alone is its beginning', short(time('2026-06-24', iso)), '2026-06-24T00:00'],
    ['day first with a time', short(time('24/06/2026 9:05', dmy)), '2026-06-24T09:05'],
    ['an instant', short(time('2026-06-24T14:30Z', iso)), '2026-06-24T14:30:00Z'],
    ['a time where a day is asked', short(day('2026-06-24 14:30', iso)), 'dayAlone'],
    ['words as a date', short(day('next week', iso)), 'notADate'],
    ['a waybill that lost its zero', short(digits(11)(7_100_000_000, iso)), '07100000000'],
    ['a waybill as text', short(digits(11)('07100000000', iso)), '07100000000'],
    ['an HS code that lost its zero', short(digits(6, 8, 10)(80_510, iso)), '080510'],
    ['an IMEI as a number', short(digits(15)(490_154_203_237_518, iso)), '490154203237518'],
    ['a number with powers of ten', short(digits(11)('7.1E+10', iso)), 'shortened'],
    ['a number beyond what is exact', short(digits(11)(1e20, iso)), 'shortened'],
    [
      'a device on a numbered pallet',
      short(devicesAt(['air', 'pallet'])('490154203237518/2 pallet 160012345000000015', iso)),
      [{ imei: '490154203237518', probe: 2, place: 'pallet', sscc: '160012345000000015' }],
    ],
    [
      'a number of a pallet in the air',
      short(devicesAt(['air', 'pallet'])('490154203237518 air 160012345000000015', iso)),
      'devices',
    ],
    ['a reference as a number', short(code(4_711, iso)), 'codeAsNumber'],
    ['a reference with powers of ten', short(code('1,2e+9', iso)), 'shortened'],
    ['a reference with its zeros', short(code('00471', iso)), '00471'],
    ['a name whose accents are signs of their own', short(words('Cafe\u0301', iso)), 'Café'],
    ['a decimal comma', short(decimal('21500,5', iso)), 21_500.5],
    ['a decimal point', short(decimal('-18.5', iso)), -18.5],
    ['thousands by spaces', short(decimal('21\u202f500,5', iso)), 21_500.5],
    ['thousands or a part of one', short(decimal('1.234', iso)), 'whichNumber'],
    ['less than one, with three digits', short(decimal('0.125', iso)), 0.125],
    ['both signs', short(decimal('1.234,5', iso)), 'notANumber'],
    ['half a pallet', short(whole('1,5', iso)), 'notWhole'],
    ['pallets', short(whole(20, iso)), 20],
    ['an error of a spreadsheet', short(words({ fault: 'errorCell', text: '#REF!' }, iso)), 'errorCell'],
    [
      'a choice in another language',
      short(choice(['sea'], (_, locale) => (locale === 'fr' ? 'Océan' : 'Sea'))('OCEAN', iso)),
      'sea',
    ],
    ['an Incoterm of an older edition', short(termOf('DAT')), 'formerIncoterm'],
    ['an Incoterm in small letters', short(termOf('fob')), 'FOB'],
    ['no Incoterm', short(termOf('XYZ')), 'choice'],
    ['none of the choices', short(choice(['sea'])('moon', iso)), 'choice'],
  ])('%s', (_, read, expected) => expect(read).toEqual(expected))
})

const lines = async (bytes: Buffer, by = iso) =>
  readLines(await readSheet(bytes, 10_000), shipmentColumns, headingsOf('shipments'), by)
const faultsOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof SheetRefused)) throw error ?? new Error('it was taken')
  return error.faults.map(({ key }) => key.split('.').at(-1))
}
const head = 'reference,logistics,product,origin,destination,mode'
const row = 'PO 1,external,Oranges,A,B,sea'
const text = (...all: string[]) => Buffer.from(all.join('\r\n'))
type Value = string | number | boolean | Date | null
const book = async (rows: Value[][], more: object = {}) =>
  Buffer.from(await writeXlsx({ sheets: [{ name: 'Sheet', rows, ...more }] }))
const heads = head.split(',')
const cells = row.split(',')

/** A ZIP of parts of so many zero bytes, each of which it says is small. */
function zipOf(parts: Record<string, number>): Buffer {
  const heads: Buffer[] = []
  const entries: Buffer[] = []
  let at = 0
  for (const [name, bytes] of Object.entries(parts)) {
    const packed = deflateRawSync(Buffer.alloc(bytes))
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(8, 8)
    head.writeUInt32LE(packed.length, 18)
    head.writeUInt32LE(10, 22)
    head.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(10, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(at, 42)
    heads.push(head, Buffer.from(name), packed)
    entries.push(entry, Buffer.from(name))
    at += 30 + name.length + packed.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(parts).length, 8)
  end.writeUInt16LE(Object.keys(parts).length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...heads, directory, end])
}

describe('files', () => {
  test('headings in each language, in any case and without accents, name one column each', async () => {
    for (const locale of localeNames) {
      const own = headingsOf('shipments')[locale]
      const shouted = shipmentColumns.map(({ name }) =>
        `${own[name]} *`.toUpperCase().normalize('NFD').replace(/\p{M}/gu, ''),
      )
      const [line] = await lines(text(shouted.join('\t'), shipmentColumns.map(({ example }) => example).join('\t')))
      expect([locale, line?.faults]).toEqual([locale, []])
      expect(Object.keys(line?.values ?? {})).toEqual(shipmentColumns.map(({ name }) => name))
    }
    const meanings = new Map<string, Set<string>>()
    for (const locale of localeNames)
      for (const [name, heading] of Object.entries(headingsOf('shipments')[locale]))
        meanings.set(foldHeading(heading), (meanings.get(foldHeading(heading)) ?? new Set()).add(name))
    expect([...meanings].filter(([, names]) => names.size > 1)).toEqual([])
  })

  test.each<[string, Buffer]>([
    ['commas', text(head, row)],
    [
      'semicolons, with a comma within',
      text(head.replaceAll(',', ';'), row.replaceAll(',', ';').replace('Oranges', 'Oranges, red')),
    ],
    ['tabs', text(head.replaceAll(',', '\t'), row.replaceAll(',', '\t'))],
    ['the line of Excel that says so', text('sep=;', head.replaceAll(',', ';'), row.replaceAll(',', ';'))],
    ['a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), text(head, row)])],
    [
      'UTF-16 of Excel',
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`${head}\n${row}`.replaceAll(',', '\t'), 'utf16le')]),
    ],
    [
      'line ends of old machines, empty lines and a quoted line end',
      Buffer.from(`${head}\r\r${row.replace('Oranges', '"Oran\nges"')}\r`),
    ],
  ])('a text with %s', async (_, bytes) => {
    const [line] = await lines(bytes)
    expect(line?.faults).toEqual([])
    expect(line?.values).toMatchObject({ reference: 'PO 1', mode: 'sea', origin: 'A' })
  })

  test('the Western code page is read, and said', async () => {
    const bytes = Buffer.from(`${head}\n${row.replace('Oranges', 'Pêches')}`, 'latin1')
    expect(await readSheet(bytes, 10)).toMatchObject({ encoding: 'Windows-1252' })
    expect((await lines(bytes))[0]?.values.product).toBe('Pêches')
  })

  test('a workbook: dates, numbers, empty rows at the end, hidden rows, further sheets and rich texts', async () => {
    const rows = [
      [...heads, 'ETD', 'pallets'],
      [],
      [...cells, utc('2026-06-24T14:30'), 20],
      ...Array.from({ length: 30 }, () => [null, null, '  ']),
    ]
    const bytes = Buffer.from(
      await writeXlsx({
        sheets: [
          { name: 'Notes', rows: [['not this one']], hidden: true },
          {
            name: 'Season',
            rows: rows.map((cells) => cells.map((cell) => cell)),
            rowDefs: new Map([[2, { hidden: true }]]),
          },
          { name: 'Lists', rows: [['x']] },
        ],
      }),
    )
    expect(await readSheet(bytes, 10)).toMatchObject({ sheet: 'Season', hiddenRows: 1, otherSheets: 1 })
    const read = await lines(bytes)
    expect(read).toHaveLength(1)
    expect(read[0]).toMatchObject({ row: 3, faults: [], values: { etd: '2026-06-24T14:30', pallets: 20 } })
  })

  test('a workbook that counts from 1904 has the same days', async () => {
    const rows = [
      [...heads, 'ETD', 'loadingOn'],
      [...cells, utc('2026-06-24T14:30'), 46_197 - 1_462],
    ]
    const bytes = Buffer.from(await writeXlsx({ sheets: [{ name: 'Sheet', rows }], dateSystem: '1904' }))
    const { serialShift } = await readSheet(bytes, 10)
    expect(serialShift).toBe(1_462)
    const [line] = await lines(bytes, { ...iso, serialShift })
    expect(line).toMatchObject({ faults: [], values: { etd: '2026-06-24T14:30', loadingOn: '2026-06-24' } })
  })

  test('entities of XML are the signs they stand for', async () => {
    const [line] = await lines(
      await book([heads, ['R&D <1>', ...cells.slice(1, 2), '"Oranges" & co', ...cells.slice(3)]]),
    )
    expect(line?.values).toMatchObject({ reference: 'R&D <1>', product: '"Oranges" & co' })
  })

  test('cells merged down a column are filled where somebody asks for it; merged headings and columns are not', async () => {
    const read = async (merges: object[]) => {
      const [one, two, three] = ['PO 1', 'PO 2', 'PO 3'].map((reference) => [reference, ...cells.slice(1)])
      const rows = [heads, one, [two?.[0], ...Array(2).fill(null), ...cells.slice(3)], three] as Value[][]
      return readSheet(await book(rows, { merges }), 10, { fillsMerged: true })
    }
    const down = (startCol: number) => ({ startRow: 1, startCol, endRow: 2, endCol: startCol })
    const { rows } = await read([down(1), down(2)])
    expect(rows.map((row) => row.cells.slice(0, 3))).toEqual([
      heads.slice(0, 3),
      ...['PO 1', 'PO 2', 'PO 3'].map((reference) => [reference, 'external', 'Oranges']),
    ])
    const wide = { startRow: 1, startCol: 1, endRow: 2, endCol: 2 }
    const heading = { startRow: 0, startCol: 1, endRow: 1, endCol: 1 }
    for (const merge of [wide, heading]) expect(await faultsOf(read([merge]))).toEqual(['merged'])
  })

  test('formulas: what was worked out counts; nothing and errors do not', async () => {
    const one = (cell: object) => book([heads, cells], { cells: new Map([['1,2', cell]]) })
    const unknown = await lines(await one({ formula: 'A1&B1', value: null }))
    expect(unknown[0]?.faults.map(({ message }) => message.key.split('.').at(-1))).toEqual(['noResult'])
    const good = await lines(await one({ formula: 'A1', formulaResult: 'Oranges', value: 'Oranges' }))
    expect(good[0]?.values.product).toBe('Oranges')
    const csv = await lines(text(head, row.replace('Oranges', '=HYPERLINK(1)'), row.replace('PO 1', '#N/A')))
    expect(
      csv.map(({ faults }) => faults.map(({ column, message }) => [column, message.key.split('.').at(-1)])),
    ).toEqual([[['product', 'formula']], [['reference', 'errorCell']]])
    const broken = await lines(await book([heads, [...cells.slice(0, 2), '#REF!', ...cells.slice(3)]]))
    expect(broken[0]?.faults[0]?.message.key).toContain('errorCell')
  })

  test('rows with the same reference, whatever its case and wherever they stand, are one shipment', async () => {
    const alone = row.replace('PO 1', '')
    const read = await lines(text(head, row, row.replace('PO 1', 'PO 2'), row.replace('PO 1', 'po 1'), alone, alone))
    const things = rules.together?.(read) ?? []
    expect(things.map((some) => some.map(({ row }) => row))).toEqual([[2, 4], [3], [5], [6]])
  })

  test('a file asks for names and references in small letters as the database has them', async () => {
    const csv = text(head, 'ΣΥΚΑ ΟΔΟΣ,external,Oranges,İSTANBUL,ÉCLUSE,sea')
    expect(rules.ask(await lines(csv))).toMatchObject({
      ...{ origins: ['istanbul'], destinations: ['écluse'], references: ['συκα οδοσ'] },
    })
  })

  test.each<[string, Promise<Buffer> | Buffer, string[]]>([
    [
      'an unknown column and two that are missing',
      text('reference,colour,product,origin,destination', 'a,b,c,d,e'),
      ['unknownColumn', 'columnMissing', 'columnMissing'],
    ],
    ['a column twice, in two languages', text(`${head},Produit`, `${row},x`), ['columnTwice']],
    ['headings alone', text(head), ['empty']],
    ['a quotation mark that is open', text(head, `${row},"`), ['broken']],
    [
      'merged cells',
      book([heads, cells, cells], { merges: [{ startRow: 1, startCol: 2, endRow: 2, endCol: 2 }] }),
      ['merged'],
    ],
    [
      'a workbook that was cut',
      book([heads, cells]).then((bytes) => bytes.subarray(0, bytes.length - 40)),
      ['brokenBook'],
    ],
    ['10,001 rows', text(head, ...Array.from({ length: 10_001 }, () => row)), ['tooManyRows']],
    ['a book of the old format', Buffer.from('d0cf11e0a1b11ae1', 'hex'), ['oldBook']],
    ['a ZIP that is no book', Buffer.from('PK\u0003\u0004 word/document.xml'), ['noBook']],
    ['a PDF', text('%PDF-1.7'), ['noText']],
    ['a web page that is called a book', text('<html><table>'), ['noText']],
  ])('%s is refused', async (_, bytes, faults) =>
    expect(await faultsOf(Promise.resolve(bytes).then((all) => lines(all)))).toEqual(faults),
  )

  test('a bomb is refused before it is unpacked, however small it is', async () => {
    const bytes = zipOf({ '[Content_Types].xml': 10, 'xl/workbook.xml': 129 * 1024 * 1024 })
    expect(bytes.length).toBeLessThan(200_000)
    expect(await faultsOf(readSheet(bytes, 10_000))).toEqual(['bookTooLarge'])
  })

  test('a book is refused with parts that only its directory by ZIP64 names: nobody has measured them', () => {
    const bytes = zipOf({ '[Content_Types].xml': 10, 'xl/workbook.xml': 10 })
    const end = Buffer.from(bytes.subarray(-22))
    const [record, locator] = [Buffer.alloc(56), Buffer.alloc(20)]
    record.writeUInt32LE(0x06064b50, 0)
    record.writeBigUInt64LE(2n, 32)
    record.writeBigUInt64LE(BigInt(end.readUInt32LE(16)), 48)
    locator.writeUInt32LE(0x07064b50, 0)
    locator.writeBigUInt64LE(BigInt(bytes.length - 22), 8)
    end.writeUInt16LE(1, 10)
    end.writeUInt32LE(0xffffffff, 12)
    const hidden = Buffer.concat([bytes.subarray(0, -22), record, locator, end])
    expect(() => refuseBomb(hidden)).toThrow('brokenBook')
  })

  test('cells at the far end of a sheet are too wide', async () => {
    const wide = await book([heads, cells], { cells: new Map([['1,5000', { value: 'x' }]]) })
    expect(await faultsOf(readSheet(wide, 10))).toEqual(['tooWide'])
  })

  test('the kind is judged by the bytes', () => {
    expect(fileKind(text(head, row))).toBe('csv')
  })

  test('what stands under no heading is said', async () => {
    const [line] = await lines(text(head, `${row},stray`))
    expect(line?.faults.map(({ column, message }) => [column, message.values.cell])).toEqual([[null, 'stray']])
  })
})
