import type { Shared, SharedDevice, SharedPage } from '@isotherm/contract/share-links.ts'
import { expect, test } from 'vitest'
import { pointsOf } from './day-trend.tsx'
import { pauseMs } from './use-shared.ts'
import { everySeconds, gridFor, largestGrid, screensOf } from './wall-screens.ts'

const pageOf = (name: string, devices: number): SharedPage => ({
  ...{ name, total: devices, outOfRange: 1, silent: 2, inRange: 3 },
  devices: Array.from({ length: devices }, (_, i) => ({ name: `${name} ${i}` }) as SharedDevice),
})
const sharedOf = (...pages: SharedPage[]) => ({ pages }) as Shared
const television = { width: 1880, height: 900 }
const phone = { width: 370, height: 700 }

test('a grid has room for every tile, in as few rows and columns as make tiles largest', () => {
  expect(gridFor(1, television)).toEqual({ columns: 1, rows: 1 })
  expect(gridFor(4, television)).toEqual({ columns: 2, rows: 2 })
  expect(gridFor(2, phone)).toEqual({ columns: 1, rows: 2 })
  for (const room of [television, phone])
    for (let count = 1; count <= largestGrid(room).columns * largestGrid(room).rows; count++) {
      const { columns, rows } = gridFor(count, room)
      expect(columns * rows).toBeGreaterThanOrEqual(count)
    }
})

test('a page with more devices than tiles takes several screens, one without devices its own', () => {
  const screens = screensOf(sharedOf(pageOf('Hall', 50), pageOf('Van', 0), pageOf('Lab', 1)), television)
  expect(screens.map(({ page, devices }) => [page.name, devices.length])).toEqual([
    ['Hall', 24],
    ['Hall', 24],
    ['Hall', 2],
    ['Van', 0],
    ['Lab', 1],
  ])
  expect(screens[1]?.devices[0]?.name).toBe('Hall 24')
})

test('a window too small for a tile still shows one at a time', () => {
  expect(screensOf(sharedOf(pageOf('Hall', 2)), { width: 100, height: 50 })).toHaveLength(2)
})

test('the address says how long a screen stays, within reason', () => {
  expect([null, '30', '1', '9999', 'x', '-5'].map((given) => everySeconds(given, null))).toEqual([
    20, 30, 5, 600, 20, 20,
  ])
})

test('a wall turns as it was made to, unless its address says otherwise', () => {
  expect([null, '30', 'x'].map((given) => everySeconds(given, 45))).toEqual([45, 30, 45])
})

test('each failure in a row makes the next try later, up to a minute; a revoked link is asked for rarely', () => {
  const pauses = [1, 2, 3, 4, 5, 50].map((failures) => pauseMs('failed', failures, 15_000))
  expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000])
  expect([pauseMs('ok', 0, 15_000), pauseMs('gone', 0, 15_000)]).toEqual([15_000, 300_000])
})

test('a trend has a point in the middle of each measured hour, the running one not later than now', () => {
  const until = Date.parse('2026-11-23T10:20:00Z')
  const points = pointsOf([null, 4, null, 5], until)
  expect(points.map(({ at, value }) => [new Date(at).toISOString(), value])).toEqual([
    ['2026-11-23T08:30:00.000Z', 4],
    ['2026-11-23T10:20:00.000Z', 5],
  ])
})
