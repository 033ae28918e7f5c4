import { describe, expect, test } from 'vitest'
import {
  airportIata,
  airportIcao,
  airWaybill,
  carrierCode,
  checkImei,
  containerNumber,
  flightNumber,
  gln,
  gtin,
  hsCode,
  imoNumber,
  locode,
  sscc,
} from './identifiers.ts'

describe('an IMEI', () => {
  test.each(['490154203237518', '356938035643809'])('%s keeps its check digit', (imei) => {
    expect(checkImei(imei)).toBe('ok')
  })

  test.each(['490154203237517', '356938035643800'])('%s breaks it, which may be overridden', (imei) => {
    expect(checkImei(imei)).toBe('luhn')
  })

  test.each(['49015420323751', '4901542032375180', '49015420323751a', ' 490154203237518', '', '٤٩٠١٥٤٢٠٣٢٣٧٥١٨'])(
    '%j is none',
    (text) => {
      expect(checkImei(text)).toBe('malformed')
    },
  )

  test('one changed digit is always noticed', () => {
    const imei = '490154203237518'
    for (let index = 0; index < imei.length; index++)
      for (const digit of '0123456789')
        if (digit !== imei[index]) expect(checkImei(imei.slice(0, index) + digit + imei.slice(index + 1))).toBe('luhn')
  })
})

describe('the number of a container', () => {
  test.each([
    ...['CSQU3054383', 'MSKU6907988', 'TGHU7599330', 'HLXU2008419', 'MEDU8707688', 'SUDU3070079', 'TEXU3070079'],
    // Remainder 10, which is written 0.
    ...['MSKU0000080', 'MSKU0000120', 'MSKU0000270'],
  ])('%s holds', (code) => {
    expect(containerNumber(code)).toEqual({ value: code })
  })

  test.each(['csqu 305438-3', 'CSQU.305438/3', ' CSQU 305438 – 3 '])('%j is the same number', (text) => {
    expect(containerNumber(text)).toEqual({ value: 'CSQU3054383' })
  })

  test('a wrong check digit, and what is no number at all', () => {
    expect(containerNumber('CSQU3054384')).toEqual({ fault: 'checkDigit', unchecked: 'CSQU3054384' })
    for (const text of ['', 'CSQX3054383', 'CSQU305438', 'CSQU30543833', '12345678901'])
      expect(containerNumber(text)).toMatchObject({ fault: 'form' })
  })

  test('one mistaken sign, or all of them, are asked about and never corrected', () => {
    const meant = { fault: 'form', didYouMean: 'CSQU3054383' }
    for (const text of ['CSQU3O54383', 'C5QU3054383']) expect(containerNumber(text)).toEqual(meant)
    expect(containerNumber('C5QU3O54383')).toEqual(meant)
    expect(containerNumber('TGHU75993 3O')).toEqual({ fault: 'form', didYouMean: 'TGHU7599330' })
    // Another sign than the mistaken one is wrong, too.
    expect(containerNumber('CSQU3O54384')).toEqual({ fault: 'form' })
  })

  test('a swap body has the same arithmetic', () => {
    const check = [...'0123456789'].find((digit) => 'value' in containerNumber(`CSQK305438${digit}`))
    expect(containerNumber(`CSQK305438${check}`)).toEqual({ value: `CSQK305438${check}` })
  })
})

describe('an air waybill', () => {
  test.each([
    ['020-12345675', '02012345675'],
    ['176 1234 5675', '17612345675'],
    ['071-00000000', '07100000000'],
    ['AWB 020-12345675', '02012345675'],
  ])('%s holds', (text, value) => {
    expect(airWaybill(text)).toEqual({ value })
  })

  test.each([
    ['125-10000002', '12510000001'],
    ['083-99999994', '08399999992'],
    ['020-12345677', '02012345675'],
  ])('%s does not; %s would', (text, didYouMean) => {
    expect(airWaybill(text)).toMatchObject({ fault: 'checkDigit', didYouMean })
  })

  test('has eleven digits', () => {
    for (const text of ['020-1234567', '020-123456755', 'LH-12345675', ''])
      expect(airWaybill(text)).toEqual({ fault: 'form' })
  })
})

test('an IMO number', () => {
  for (const code of ['9074729', '9176187', '9319466', '9839430'])
    expect(imoNumber(`IMO ${code}`)).toEqual({ value: code })
  expect(imoNumber('1234567')).toEqual({ value: '1234567' })
  expect(imoNumber('IMO 9074728')).toEqual({ fault: 'checkDigit', unchecked: '9074728' })
  expect(imoNumber('9O74729')).toEqual({ fault: 'form', didYouMean: '9074729' })
  // Its arithmetic holds, but no ship's number begins with 0.
  for (const text of ['0000000', '907472', '90747290', 'IMO', '9a074729'])
    expect(imoNumber(text)).toEqual({ fault: 'form' })
})

test('a UN/LOCODE', () => {
  expect(locode('ZA CPT')).toEqual({ value: 'ZACPT' })
  expect(locode('usnyc')).toEqual({ value: 'USNYC' })
  expect(locode('US2K9')).toEqual({ value: 'US2K9' })
  expect(locode('ZAC0T')).toEqual({ fault: 'form', didYouMean: 'ZACOT' })
  for (const text of ['ZACP', 'ZACPTT', '9ACPT', '']) expect(locode(text)).toEqual({ fault: 'form' })
})

test('airports, airlines and flights', () => {
  expect([airportIata('los'), airportIcao('dnmm')]).toEqual([{ value: 'LOS' }, { value: 'DNMM' }])
  for (const text of ['LO', 'L0S', 'LAGOS']) expect(airportIata(text)).toEqual({ fault: 'form' })
  for (const code of ['BA', '5X', 'P4', 'KLM']) expect(carrierCode(code)).toEqual({ value: code })
  for (const code of ['12', 'B', 'KLMX', 'K1M']) expect(carrierCode(code)).toEqual({ fault: 'form' })
  expect(['ba 75', 'P47121', 'KLM589A', '5X-0012'].map(flightNumber)).toEqual([
    ...[{ value: 'BA75' }, { value: 'P47121' }, { value: 'KLM589A' }, { value: '5X0012' }],
  ])
  for (const text of ['BA', '1234', 'BA12345', 'B1', 'BA75AB']) expect(flightNumber(text)).toEqual({ fault: 'form' })
})

test('numbers of GS1', () => {
  for (const code of ['376104250021234569', '160012345000000015']) expect(sscc(code)).toEqual({ value: code })
  expect(sscc('(00) 3 7610425 002123456 9')).toEqual({ value: '376104250021234569' })
  const [wrong, meant] = ['376104250021234568', '376104250021234569']
  expect(sscc(`(00) ${wrong}`)).toEqual({ fault: 'checkDigit', unchecked: wrong, didYouMean: meant })
  expect(sscc('37610425OO2123456q')).toEqual({ fault: 'form' })
  expect(sscc('3761O425OO21234569')).toEqual({ fault: 'form', didYouMean: meant })
  expect(gtin('6291041500213')).toEqual({ value: '06291041500213' })
  expect(gtin('06001234500018')).toEqual({ value: '06001234500018' })
  expect(gtin('(01) 6291041500214')).toEqual({
    ...{ fault: 'checkDigit', didYouMean: '6291041500213', unchecked: '06291041500214' },
  })
  // A spreadsheet took the zero in front of 036000291452.
  expect(gtin('36000291452')).toEqual({ fault: 'form', didYouMean: '036000291452' })
  for (const text of ['629104150021x', '62910415002133', '123', '']) expect(gtin(text)).toHaveProperty('fault')
  for (const code of ['6001234500001', '8712345000004']) expect(gln(code)).toEqual({ value: code })
  for (const text of ['600123450000', 'x', '']) expect(gln(text)).toEqual({ fault: 'form' })
})

test('a code of the Harmonized System', () => {
  for (const [text, value] of Object.entries({
    '0805.10': '080510',
    '0805 50 10': '08055010',
    '0806101000': '0806101000',
  }))
    expect(hsCode(text)).toEqual({ value })
  for (const text of ['08051', '0805101', '08051010100', 'x']) expect(hsCode(text)).toEqual({ fault: 'form' })
  for (const text of ['000510', '770510', '980510']) expect(hsCode(text)).toEqual({ fault: 'notAssigned' })
})
