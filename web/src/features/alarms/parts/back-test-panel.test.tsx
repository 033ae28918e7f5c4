// @vitest-environment page
import type { BackTest, BackTestFiring } from '@isotherm/contract/back-test.ts'
import { afterEach, expect, test } from 'vitest'
import { find, isShown, leave, logInAs, serve, show } from '../../../test/show.tsx'
import { BackTestPanel } from './back-test-panel.tsx'

const at = (minute: number) => new Date(Date.parse('2026-11-20T10:00:00Z') - minute * 60_000).toISOString()
const firing = (n: number, more: Partial<BackTestFiring> = {}): BackTestFiring => ({
  ...{
    deviceId: '1',
    deviceName: 'Fridge',
    condition: 'temperatureMax',
    fence: null,
    limit: 8,
    cumulative: null,
    peak: 9,
  },
  ...{ breachAt: at(n * 60 + 30), openedAt: at(n * 60 + 30), normalAt: at(n * 60) },
  ...more,
})
const result = (more: Partial<BackTest>): BackTest => ({
  ...{ from: at(40_000), to: at(0), devices: 1, short: 0, count: 0, firings: [], progress: 1, cursor: null },
  ...{ smsUnits: 0, chatUnits: 0, mails: 0 },
  ...more,
})
const open = (more: Partial<BackTest>) =>
  show(<BackTestPanel result={result(more)} isAsking={false} />, { texts: ['alarms', 'triggers'] })

afterEach(leave)
logInAs('admin')

test('a device without a history is no proof that nothing would have happened', async () => {
  await open({ short: 1 })
  await find('p', /Too little history: the device has less than a day/)
  expect(isShown('0 times')).toBe(false)
})

test('some of several without a history are counted beside the others', async () => {
  await open({ devices: 3, short: 2 })
  await find('p', /fired 0 times\. 3 devices were looked at\. 2 of them have too little history/)
})

test('firings that read alike are one line, which opens; what is not listed is counted', async () => {
  const ofOthers = [2, 3, 4, 5, 6, 7].map((id) => firing(id, { deviceId: String(id), deviceName: `Unit ${id}` }))
  await open({ count: 30, firings: [...Array.from({ length: 19 }, (_, n) => firing(n)), ...ofOthers] })
  await find('summary', 'and 18 more like it')
  const list = document.querySelector('[aria-label="When it would have fired"]') as HTMLElement
  expect([...list.children].map((item) => item.querySelector(':scope > details > summary')?.textContent ?? '')).toEqual(
    ['and 18 more like it', ...['', '', '', '', '', '']],
  )
  expect(list.lastElementChild?.textContent).toBe('and 6 more')
  expect(list.firstElementChild?.querySelectorAll('details li')).toHaveLength(18)
})

test('what it costs a month is said in units, and in money where they are sold; nothing where it costs none', async () => {
  const price = { currency: 'NGN', net: 5_500, taxes: [], total: 5_500 }
  const offer = { units: 12, price, cheaper: null }
  const quoted = serve(({ path }) => ({
    payload: { quote: path.includes('units=12') && !path.includes('1200') ? offer : null },
  }))
  await open({ count: 3, smsUnits: 1200, chatUnits: 1 })
  await find('p', /About 1,200 SMS units \+ 1 WhatsApp unit a month\. If the next month is like the last 30 days/)
  expect(isShown('That is about')).toBe(false)
  await open({ count: 3, smsUnits: 12 })
  await find('p', /About 12 SMS units a month\. That is about NGN\s55\.00 with taxes\./)
  const asked = quoted.length
  await open({ count: 3 })
  await find('p', /fired 3 times/)
  expect([isShown('a month'), quoted.length]).toEqual([false, asked])
})
