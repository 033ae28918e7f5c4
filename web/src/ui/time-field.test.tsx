// @vitest-environment page
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { eventually, field, find, leave, show, type } from '../test/show.tsx'
import { TimeField } from './time-field.tsx'

afterEach(leave)

function Probe({ first = '' }: { first?: string }) {
  const [value, setValue] = useState(first)
  return (
    <>
      <TimeField label="Start" value={value} onChange={setValue} />
      <output>{value || 'none'}</output>
    </>
  )
}
const handed = () => document.querySelector('output')?.textContent
const minute = async (words = 'Start: Minute') => (await find('input', words)) as HTMLInputElement

test('an hour and a minute that are typed become a time of 24 hours', async () => {
  await show(<Probe />)
  type(await field('Start'), '14')
  expect(handed()).toBe('none')
  type(await minute(), '03')
  await eventually(() => expect(handed()).toBe('14:03'))
})

test('the hour that is taken away leaves the minute', async () => {
  await show(<Probe first="22:45" />)
  const hour = await field('Start')
  hour.focus()
  hour.dispatchEvent(new KeyboardEvent('keydown', { key: 'Backspace', bubbles: true }))
  await eventually(() => expect(handed()).toBe('none'))
  expect(hour.value).toBe('')
  expect((await minute()).value).toBe('45')
  type(hour, '7')
  await eventually(() => expect(handed()).toBe('07:45'))
})

test.each([
  ['fr', 'Start\u00a0: Minute'],
  ['es', 'Start: Minuto'],
  ['sw', 'Start: Dakika'],
] as const)('in %s its parts are named, and the hour needs no half of the day', async (locale, words) => {
  await show(<Probe first="22:45" />, { locale })
  expect((await minute(words)).value).toBe('45')
  expect((await field('Start')).value).toBe('22')
})
