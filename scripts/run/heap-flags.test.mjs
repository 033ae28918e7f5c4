import { expect, test } from 'vitest'
import { collectorThreads, memoryVariables } from './heap-flags.mjs'

test('the allocator has our settings, but for those that whoever runs the server has set', () => {
  expect(Object.keys(memoryVariables({}))).toEqual([
    ...['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_'],
  ])
  expect(memoryVariables({ MALLOC_ARENA_MAX: '8' })).toMatchObject({ MALLOC_ARENA_MAX: '8' })
})

test('the collector has a thread at least, leaves one processor to the event loop, and has no more threads than V8 gives it', () => {
  expect([1, 2, 3, 4, 5, 64].map((processors) => collectorThreads(processors))).toEqual([1, 1, 2, 3, 4, 4])
})
