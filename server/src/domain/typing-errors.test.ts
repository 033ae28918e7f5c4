import { expect, test } from 'vitest'
import { airWaybillDigit, containerDigit, gs1Digit, imoDigit } from './check-digits.ts'
import { airWaybill, containerNumber, gln, gtin, type Identified, imoNumber, sscc } from './identifiers.ts'

const errors = 100_000

/** Numbers below `most` that are the same in every run (mulberry32). */
function dice(seed: number): (most: number) => number {
  let state = seed
  return (most) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * most)
  }
}
const roll = dice(2026)
const digits = (count: number) => Array.from({ length: count }, () => roll(10)).join('')
const letters = (count: number) => Array.from({ length: count }, () => String.fromCharCode(65 + roll(26))).join('')

interface Kind {
  name: string
  make(): string
  check(text: string): Identified
  /** The first place of a digit that the check digit covers. */
  from: number
  /** Whether arithmetic promises that this error is noticed; `place` of the first sign that changed. */
  seesDigit(place: number, before: number, after: number, code: string): boolean
  seesSwap(place: number, left: number, right: number, code: string): boolean
  /** At least so many of all errors, in percent. */
  least: { digit: number; swap: number }
}

// Only the remainder 10 of a container is written as another one.
const remainder = (code: string) => {
  const digit = containerDigit(code)
  if (digit !== 0) return digit
  // With one more at the last place the sum grows by 512, so its remainder by 6.
  const last = Number(code[9])
  const other = last < 9 ? containerDigit(code.slice(0, 9) + (last + 1)) : containerDigit(code.slice(0, 9) + (last - 1))
  return last < 9 ? (other === 6 ? 0 : 10) : other === 5 ? 0 : 10
}
const seven = (one: number, other: number) => Math.abs(one - other) === 7
const five = (one: number, other: number) => Math.abs(one - other) === 5
const gs1 = (name: string, length: number, check: Kind['check']): Kind => ({
  name,
  make: () => {
    const code = digits(length - 1)
    return code + gs1Digit(code)
  },
  check,
  from: 0,
  seesDigit: () => true,
  seesSwap: (_, left, right) => !five(left, right),
  least: { digit: 100, swap: 88 },
})

const kinds: Kind[] = [
  {
    name: 'container',
    make: () => {
      const code = `${letters(3)}U${digits(6)}`
      return code + containerDigit(code)
    },
    check: containerNumber,
    from: 4,
    seesDigit: (_place, _before, _after, code) => remainder(code) !== 10,
    seesSwap: (_place, _left, _right, code) => remainder(code) !== 10,
    least: { digit: 98, swap: 98 },
  },
  {
    name: 'air waybill',
    make: () => {
      const serial = digits(7)
      return `020${serial}${airWaybillDigit(serial)}`
    },
    check: airWaybill,
    from: 3,
    seesDigit: (place, before, after) => place === 10 || !seven(before, after),
    seesSwap: (_, left, right) => !seven(left, right),
    least: { digit: 93, swap: 92 },
  },
  {
    name: 'IMO',
    make: () => {
      const six = `9${digits(5)}`
      return six + imoDigit(six)
    },
    check: imoNumber,
    from: 0,
    seesDigit: (place, before, after) => place === 6 || ((7 - place) * (after - before)) % 10 !== 0,
    seesSwap: () => true,
    least: { digit: 88, swap: 100 },
  },
  gs1('SSCC', 18, sscc),
  gs1('GTIN', 14, gtin),
  gs1('GLN', 13, gln),
]

const notices = (kind: Kind, text: string) => 'fault' in kind.check(text)

test.each(kinds)('100,000 typing errors of one digit, and as many of two swapped: $name', (kind) => {
  const noticed = { digit: 0, swap: 0 }
  const missed: string[] = []
  for (let n = 0; n < errors; n++) {
    const code = kind.make()
    const place = kind.from + roll(code.length - kind.from)
    const before = Number(code[place])
    const after = (before + 1 + roll(9)) % 10
    const wrong = code.slice(0, place) + after + code.slice(place + 1)
    if (notices(kind, wrong)) noticed.digit += 1
    else if (kind.seesDigit(place, before, after, code) && kind.seesDigit(place, before, after, wrong))
      missed.push(wrong)
  }
  for (let n = 0; n < errors; ) {
    const code = kind.make()
    const place = kind.from + roll(code.length - kind.from - 1)
    const [left, right] = [Number(code[place]), Number(code[place + 1])]
    if (left === right) continue
    n += 1
    const wrong = `${code.slice(0, place)}${right}${left}${code.slice(place + 2)}`
    if (notices(kind, wrong)) noticed.swap += 1
    else if (kind.seesSwap(place, left, right, code) && kind.seesSwap(place, left, right, wrong)) missed.push(wrong)
  }
  const rate = { digit: (noticed.digit / errors) * 100, swap: (noticed.swap / errors) * 100 }
  console.log(`${kind.name}: ${rate.digit.toFixed(2)} % of wrong digits, ${rate.swap.toFixed(2)} % of swaps`)
  expect(missed).toEqual([])
  expect(rate.digit).toBeGreaterThanOrEqual(kind.least.digit)
  expect(rate.swap).toBeGreaterThanOrEqual(kind.least.swap)
})
