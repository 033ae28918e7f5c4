import { maxCompared } from '@isotherm/contract/groups.ts'
import { expect, test } from 'vitest'
import { devicesIn } from './compared-devices.ts'

test('a URL names devices by their ids, each once, and not more than can be told apart', () => {
  expect(devicesIn('7,12,7, x,,0,-3')).toEqual(['7', '12'])
  expect(devicesIn(undefined)).toEqual([])
  const many = Array.from({ length: 30 }, (_, index) => String(index + 1))
  expect(devicesIn(many.join())).toEqual(many.slice(0, maxCompared))
})
