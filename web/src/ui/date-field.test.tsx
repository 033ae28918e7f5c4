// @vitest-environment page
import { Modal } from '@mantine/core'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { eventually, field, find, isShown, leave, logInAs, press, show, type } from '../test/show.tsx'
import { DateField } from './date-field.tsx'

afterEach(leave)
logInAs('admin')

function Probe({ first = '', withTime = true }: { first?: string; withTime?: boolean }) {
  const [value, setValue] = useState(first)
  return (
    <>
      <DateField label="Start" withTime={withTime} value={value} onChange={setValue} />
      <output>{value}</output>
    </>
  )
}
const handed = () => document.querySelector('output')?.textContent
const shown = async () => (await field('Start')).value

test('figures that are typed become a time, and are then written in words', async () => {
  await show(<Probe />)
  type(await field('Start'), '20/11/2026 14:03')
  await eventually(() => expect(handed()).toBe('2026-11-20T14:03'))
  await eventually(async () => expect(await shown()).toBe('20 Nov 2026, 14:03'))
})

test('while somebody types, what stands there stays as it was typed', async () => {
  await show(<Probe />)
  type(await field('Start'), '20/11/2026 1', { leave: false })
  await eventually(() => expect(handed()).toBe('20/11/2026 1'))
  expect(await shown()).toBe('20/11/2026 1')
  expect(isShown('This is not a date')).toBe(false)
})

test('what is no date is said to be none, and stays', async () => {
  await show(<Probe />)
  type(await field('Start'), 'tomorrow')
  await find('p, div', 'This is not a date. Write it as ')
  expect(await shown()).toBe('tomorrow')
})

test.each([
  ['fr', '20 nov. 2026, 14:03'],
  ['es', '20 nov 2026, 14:03'],
  ['sw', '20 Nov 2026, 14:03'],
] as const)('in %s it is written %s', async (locale, text) => {
  await show(<Probe first="2026-11-20T14:03" />, { locale })
  await eventually(async () => expect(await shown()).toBe(text))
})

test('a day of the calendar keeps the time; the week begins on Monday', async () => {
  await show(<Probe first="2026-11-20T14:03" />)
  await press('Open the calendar')
  await find('table', 'Mo')
  expect((await find('thead th', '')).textContent).toBe('Mo')
  await press('24 November 2026')
  await eventually(() => expect(handed()).toBe('2026-11-24T14:03'))
})

test('without a time, choosing a day is all there is to do', async () => {
  await show(<Probe first="2026-11-20" withTime={false} />, { locale: 'fr' })
  await press('Ouvrir le calendrier')
  await press('24 novembre 2026')
  await eventually(() => expect(handed()).toBe('2026-11-24'))
  await eventually(() => expect(document.querySelector('table')).toBeNull())
})

test('Escape closes a calendar that does not have the focus yet, and not the dialog around it', async () => {
  const closed: string[] = []
  await show(
    <Modal opened onClose={() => closed.push('dialog')} title="A trip">
      <Probe />
    </Modal>,
  )
  const pressEscape = (on: Element) => on.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  for (const from of [await find('button', 'Open the calendar'), await field('Start')]) {
    await press('Open the calendar')
    const calendar = await find('[role=dialog][aria-label=Start]', '')
    pressEscape(from)
    await eventually(() => expect(calendar.isConnected).toBe(false))
  }
  expect(closed).toEqual([])
  pressEscape(await field('Start'))
  await eventually(() => expect(closed).toEqual(['dialog']))
})
