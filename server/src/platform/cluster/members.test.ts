import { expect, test } from 'vitest'
import { nextBeatMs } from './members.ts'

const node = (dies_in_ms: number) => ({ is_alive: dies_in_ms > 0, dies_in_ms })

test('a server looks at the others every second while all of them are well', () => {
  expect(nextBeatMs([])).toBe(1_000)
  expect(nextBeatMs([node(4_000), node(3_100), node(2_950)])).toBe(1_000)
})

test('a server looks as soon as one that was silent is dead, and not again for one that was dead before', () => {
  expect(nextBeatMs([node(4_000), node(300)])).toBe(310)
  expect(nextBeatMs([node(4_000), node(-5)])).toBe(1_000)
})
