import { limits } from '@isotherm/contract/limits.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ScreenLoadError, within } from './screen.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a screen that has not come after 120 s is a chunk load error, and not before', async () => {
  const failed = vi.fn()
  within(new Promise(() => undefined), limits.screenLoadMs).catch(failed)
  await vi.advanceTimersByTimeAsync(119_999)
  expect(failed).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(failed).toHaveBeenCalledWith(new ScreenLoadError('chunk load error'))
})

test('a screen whose code cannot be fetched is one at once', async () => {
  await expect(within(Promise.reject(new TypeError('Failed to fetch')), limits.screenLoadMs)).rejects.toThrow(
    'chunk load error',
  )
})

test('a screen that comes is not disturbed later', async () => {
  await expect(within(Promise.resolve('page'), limits.screenLoadMs)).resolves.toBe('page')
  expect(vi.getTimerCount()).toBe(0)
})
