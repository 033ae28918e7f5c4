// @vitest-environment page
import { afterEach, expect, test } from 'vitest'
import { find, leave, logInAs, show } from '../test/show.tsx'
import { Unbroken } from './unbroken.tsx'

afterEach(leave)

const spaceOf = async (text: string) => {
  logInAs('staff')
  await show(<Unbroken text={text} />, { texts: [] })
  return (await find('span', text)).style.whiteSpace
}

test('a reference stands on one line', async () => {
  expect(await spaceOf('UD 2026-11-10')).toBe('nowrap')
})

test('one that is longer than a phone has room for may break', async () => {
  expect(await spaceOf('PO-4711-and-all-that-came-with-it-in-2026')).toBe('')
})
