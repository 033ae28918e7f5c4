// @vitest-environment page
import { useEffect } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { eventually, isShown, leave, show } from '../../test/show.tsx'
import { useFailure } from './use-failure.ts'

afterEach(() => {
  vi.useRealTimers()
  leave()
})

function Probe() {
  const { failure, waitFor } = useFailure()
  // Once, as a refused form does.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function is new at every drawing
  useEffect(() => waitFor(190), [])
  return <p>{failure ?? 'nothing'}</p>
}

test('a form that came too often says how long to wait, counts down, and then forgets it', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  await show(<Probe />, { texts: ['errors'] })
  await eventually(() => expect(isShown('Try again in 190 s.')).toBe(true))
  vi.advanceTimersByTime(60_000)
  await eventually(() => expect(isShown('Try again in 130 s.')).toBe(true))
  vi.advanceTimersByTime(131_000)
  await eventually(() => expect(isShown('nothing')).toBe(true))
})
