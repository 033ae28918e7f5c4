// @vitest-environment page
import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { eventually, find, leave, press, show } from '../test/show.tsx'
import { SectionTabs } from './section-tabs.tsx'
import { Sideways } from './sideways.tsx'

const names = ['one', 'two', 'three', 'four', 'five', 'six']
const width = 100

/** Each choice is 100 px wide, and the bar 300 px. */
const boxOf = (element: Element, bar: Element | null) => {
  const at = names.indexOf(element.textContent ?? '')
  return at < 0 ? { left: 0, width: 300 } : { left: at * width - (bar?.scrollLeft ?? 0), width }
}

vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
  return boxOf(this, this.closest('section[aria-label], nav')) as DOMRect
})
afterEach(leave)

function Parts() {
  const [part, setPart] = useState('six')
  const [times, setTimes] = useState(0)
  return (
    <>
      <Sideways label="Parts">
        <SegmentedControl data={names} value={part} onChange={setPart} />
      </Sideways>
      <button type="button" onClick={() => setPart('three')}>
        go to three
      </button>
      <button type="button" onClick={() => setTimes(times + 1)}>
        drawn again {times} times
      </button>
    </>
  )
}

test('the part that is chosen stands in the middle of a bar that is wider than a phone, and the next one as well', async () => {
  await show(<Parts />)
  const bar = await find('section[aria-label="Parts"]')
  await eventually(() => expect(bar.scrollLeft).toBe(400))
  await press('go to three')
  await eventually(() => expect(bar.scrollLeft).toBe(100))
})

test('whoever has moved the bar since is left alone', async () => {
  await show(<Parts />)
  const bar = await find('section[aria-label="Parts"]')
  await eventually(() => expect(bar.scrollLeft).toBe(400))
  bar.scrollLeft = 20
  await press('drawn again')
  await find('button', 'drawn again 1 times')
  expect(bar.scrollLeft).toBe(20)
})

test('the open tab of a section is seen', async () => {
  const tabs = names.map((label) => ({ to: `/${label}`, label }) as never)
  await show(<SectionTabs label="Section" tabs={tabs} />, { path: '/six' })
  const bar = await find('nav[aria-label="Section"]')
  await eventually(() => expect(bar.scrollLeft).toBe(400))
})
