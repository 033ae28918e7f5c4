// @vitest-environment page
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { eventually, field, leave, press, show, typeKeys } from '../test/show.tsx'
import { AmountInput } from './amount-input.tsx'

afterEach(leave)

function Probe({ first }: { first: number | '' }) {
  const [value, setValue] = useState<number | ''>(first)
  return (
    <>
      <AmountInput label="Above" unit="°C" decimalScale={2} value={value} onChange={setValue} />
      <output>{Object.is(value, -0) ? 'a negative zero' : JSON.stringify(value)}</output>
      <button type="button" onClick={() => setValue(5)}>
        Five
      </button>
    </>
  )
}
const handed = () => document.querySelector('output')?.textContent

const begun: [number | '', string][] = [
  ['', 'an empty field'],
  [8, 'a marked number'],
]
const typed: [string, string][] = [
  ['-18', '-18'],
  ['-18.5', '-18.5'],
  ['-0.5', '-0.5'],
  ['-0,05', '-0.05'],
  ['0.05', '0.05'],
  ['-0', '0'],
]
test.each(begun.flatMap(([first, words]) => typed.map(([keys, amount]) => [keys, words, first, amount] as const)))(
  '%s typed by keys into %s is that number',
  async (keys, _, first, amount) => {
    await show(<Probe first={first} />)
    const input = await field('Above')
    await typeKeys(input, keys)
    expect(handed()).toBe(amount)
    expect(input.value).toBe(`${keys.replace(',', '.')}\u202f°C`)
    input.blur()
    await eventually(() => expect(input.value).toBe(`${amount}\u202f°C`))
    expect(handed()).toBe(amount)
  },
)

test('a sign alone is no number, and does not stay', async () => {
  await show(<Probe first={8} />)
  const input = await field('Above')
  await typeKeys(input, '-')
  expect(handed()).toBe('""')
  expect(input.value).toContain('-')
  input.blur()
  await eventually(() => expect(input.value).toBe(''))
})

test('a number that the form sets stands in place of what was typed', async () => {
  await show(<Probe first={8} />)
  const input = await field('Above')
  await typeKeys(input, '-0')
  await press('Five')
  await eventually(() => expect(input.value).toBe('5\u202f°C'))
})
