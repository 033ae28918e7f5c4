// @vitest-environment page
import { beforeAll, expect, test } from 'vitest'
import { loadWords } from '../link-pages/words.ts'
import { type DriveState, driveView } from './drive-view.ts'
import { buildPage, buildStop } from './test/build-page.ts'

const nothing = () => undefined
const drawn = (state: Partial<DriveState>) =>
  driveView(
    {
      ...{ page: buildPage(), waiting: 0, refused: [], isLost: false },
      ...{ form: null, qrOf: null, isDenied: false, isFull: false, ...state },
    },
    { act: nothing, toggleQr: nothing, forget: nothing, agree: nothing },
  )
const words = (parts: HTMLElement[]) =>
  parts.flatMap((part) => [...part.querySelectorAll('p')].map((p) => p.textContent))

beforeAll(() => loadWords(['receiverPage', 'driverPage'], 'en'))

test('a driver reads the window that was agreed beside the arrival that is expected', () => {
  const [windowFrom, windowBy] = ['2026-11-23T10:00:00.000Z', '2026-11-23T12:00:00.000Z']
  const eta = {
    ...{ at: '2026-11-23T08:30:00.000Z', from: '2026-11-23T08:20:00.000Z', to: '2026-11-23T08:40:00.000Z' },
    ...{ basis: 'default' as const, legs: 0, asOf: '2026-11-23T08:00:00.000Z', positionAgeS: 0, isFrozen: false },
  }
  const stops = [buildStop(1, { windowFrom, windowBy, eta })]
  expect(words(drawn({ page: buildPage({ stops }) }))).toEqual(
    expect.arrayContaining([expect.stringMatching(/^Planned: 23 Nov 2026, 11:00 – 13:00/), 'Expected 09:20 – 09:40']),
  )
})

test('the code of a stop is not shown at the next one', () => {
  const stops = [buildStop(1, { doorQr: ['10', '01'] }), buildStop(2, { doorQr: ['11', '00'] })]
  const isShown = (page = buildPage({ stops })) =>
    drawn({ page, qrOf: 1 }).some((part) => part.querySelector('.qr') !== null)
  expect(isShown()).toBe(true)
  const [first, second] = stops
  const settled = { ...first, state: 'delivered', settledAt: '2026-11-23T08:30:00.000Z' } as typeof first
  expect(isShown(buildPage({ stops: [settled, second].filter((stop) => stop !== undefined) }))).toBe(false)
})
