import { expect, test } from 'vitest'
import { memoryVariables } from './heap-flags.mjs'

test('the allocator has our settings, but for those that whoever runs the server has set', () => {
  expect(Object.keys(memoryVariables({}))).toEqual([
    ...['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_'],
  ])
  expect(memoryVariables({ MALLOC_ARENA_MAX: '8' })).toMatchObject({ MALLOC_ARENA_MAX: '8' })
})
