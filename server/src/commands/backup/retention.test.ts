import { expect, test } from 'vitest'
import { readStretch } from '../../platform/backup/stretches.ts'
import { obsolete } from './retention.ts'

const now = new Date('2026-11-27T12:00:00Z')
const day = (ago: number) => new Date(now.getTime() - ago * 86_400_000)
const stamp = (at: Date) => at.toISOString().replace(/[-:]|\.\d+/g, '')
const object = (name: string, at: Date) => ({
  name: `isotherm_wal_20251001t000000z/${name}`,
  bytes: 1,
  storedAt: at.getTime(),
})

/** A stretch with a base every week and a segment a day for so many days. */
function stretchOf(days: number) {
  const objects = []
  for (let ago = days; ago >= 0; ago--) {
    const at = day(ago)
    objects.push(object(`wal/00000001000000000000${(days - ago).toString(16).toUpperCase().padStart(4, '0')}.age`, at))
    if ((days - ago) % 7 > 0) continue
    objects.push(object(`base/${stamp(at)}.tar.age`, at), object(`base/${stamp(at)}.about.age`, at))
  }
  return readStretch('isotherm_wal_20251001t000000z', objects)
}

test('any second of five weeks stays, and before that the first base of each month for a year', () => {
  const stretch = stretchOf(420)
  const gone = new Set(obsolete([stretch], now))
  const bases = stretch.bases.filter(({ archive }) => !gone.has(archive)).map(({ beganAt }) => beganAt)
  const oldest = bases.filter((at) => at <= day(35)).at(-1)
  const log = stretch.log.filter(({ name }) => !gone.has(name))
  expect(Math.min(...log.map(({ storedAt }) => storedAt))).toBe(oldest?.getTime())
  const early = bases.filter((at) => oldest && at < oldest)
  expect(new Set(early.map((at) => at.toISOString().slice(0, 7))).size).toBe(early.length)
  expect(early.length).toBeGreaterThan(9)
  expect(Math.min(...bases.map(Number))).toBeGreaterThan(day(366).getTime())
})

test('nothing goes while no base is old enough to stand for the rest', () => {
  expect(obsolete([stretchOf(30)], now)).toEqual([])
  expect(obsolete([], now)).toEqual([])
})
