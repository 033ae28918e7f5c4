import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { refetchNow, refetchSoon } from './live-refetch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test.each([
  ['soon', refetchSoon],
  ['now', refetchNow],
])(
  'an answer arrives on a slow line, however often it is pushed that it is old (%s), and is asked for again then',
  async (_, refetch) => {
    const client = new QueryClient()
    let asked = 0
    const queryFn = () => {
      asked += 1
      const answer = `answer ${asked}`
      return new Promise((resolve) => setTimeout(() => resolve(answer), 10_000))
    }
    const observer = new QueryObserver(client, { queryKey: ['/devices', {}, {}], queryFn, staleTime: 30_000 })
    const stop = observer.subscribe(() => undefined)
    for (let second = 0; second < 8; second++) {
      refetch(client, ['/devices'])
      await vi.advanceTimersByTimeAsync(1_000)
    }
    await vi.advanceTimersByTimeAsync(2_500)
    expect(observer.getCurrentResult().data).toBe('answer 1')
    await vi.advanceTimersByTimeAsync(14_000)
    expect([observer.getCurrentResult().data, asked]).toEqual(['answer 2', 2])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toBe(2)
    stop()
    client.clear()
  },
)
