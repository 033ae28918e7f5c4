import { expect, test } from 'vitest'
import { isSwapBody, showAwb } from './unit-numbers.ts'

test('a waybill is written as papers have it', () => {
  expect([showAwb('70612345675'), showAwb('7061'), showAwb(null)]).toEqual(['706-1234 5675', '7061', null])
})

test('the fourth letter of a number tells a swap body from a container', () => {
  for (const text of ['CSQK3054380', 'csqa 305438-0']) expect(isSwapBody(text)).toBe(true)
  for (const text of ['CSQU3054383', 'CSQJ3054380', 'CSQZ3054380', 'CSQK305438', ''])
    expect(isSwapBody(text)).toBe(false)
})
