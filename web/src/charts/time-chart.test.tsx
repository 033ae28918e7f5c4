// @vitest-environment page
import type { Period } from '@isotherm/contract/common.ts'
import { afterEach, expect, test } from 'vitest'
import { eventually, find, isShown, leave, logInAs, press, show } from '../test/show.tsx'
import { inMinutes } from './in-minutes.ts'
import { TimeChart } from './time-chart.tsx'

afterEach(leave)
logInAs('admin')

const from = Date.parse('2026-11-20T10:00:00Z')
const to = Date.parse('2026-11-20T20:00:00Z')
const showChart = (onUse?: (period: Period) => void) =>
  show(<TimeChart panels={[]} layout="stacked" from={from} to={to} zone="Africa/Lagos" onUse={onUse} />, {
    texts: ['charts'],
  })
const key = async (name: string) =>
  (await find('section', 'Chart from')).dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }))

test('a zoomed chart says which part it shows, and the part becomes the period of the page on request', async () => {
  const used: Period[] = []
  await showChart((period) => used.push(period))
  expect(isShown('Zoomed')).toBe(false)
  await key('+')
  await find('span', /Zoomed: 20 Nov 2026, 13:30.* – .*18:30.* The rest of the page is of the whole period/)
  await press('Use this period')
  expect(used).toEqual([{ from: '2026-11-20T12:30:00.000Z', to: '2026-11-20T17:30:00.000Z' }])
  await key('0')
  await eventually(() => expect(isShown('Zoomed')).toBe(false))
})

test('a chart whose period is fixed says which part it shows, and offers nothing', async () => {
  await showChart()
  await key('+')
  await find('span', 'Zoomed: ')
  expect(isShown('Use this period')).toBe(false)
})

test('a part is used in whole minutes, which periods are written in, and never beyond the whole', () => {
  expect(inMinutes({ from: from + 61_000, to: to - 61_000 }, { from, to })).toEqual({
    from: from + 60_000,
    to: to - 60_000,
  })
  const odd = { from: from + 1_500, to: to - 1_500 }
  expect(inMinutes(odd, odd)).toEqual(odd)
})
