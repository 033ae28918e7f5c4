import type { Shared } from '@isotherm/contract/share-links.ts'
import { useEffect, useState } from 'react'
import type { Answer } from './ask-shared.ts'

/** The newest values, and how the connection is. Nothing older is kept, however long a page stays open. */
export interface SharedState {
  shared: Shared | null
  /** When the newest values came, ms since 1970 by this browser's clock. */
  at: number | null
  isLost: boolean
  isGone: boolean
}

const goneMs = 300_000
const firstRetryMs = 5_000

/** The pause before the next question: longer after each failure in a row, and long once a link shows nothing. */
export const pauseMs = (state: Answer['state'], failures: number, everyMs: number): number => {
  if (state === 'gone') return goneMs
  return state === 'ok' ? everyMs : Math.min(60_000, firstRetryMs * 2 ** Math.min(failures - 1, 4))
}

/** Asks at once and then again and again. `ask` hears whether it is the first time; `onRegained` runs when the connection is back. */
export function useShared(
  ask: (isOpening: boolean) => Promise<Answer>,
  everyMs: number,
  onRegained: () => void,
): SharedState {
  const [heard, setHeard] = useState<SharedState>({ shared: null, at: null, isLost: false, isGone: false })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    let isAsking = false
    let isFirst = true
    let failures = 0
    const next = async () => {
      if (isAsking) return
      isAsking = true
      clearTimeout(timer)
      const answer = await ask(isFirst)
      isAsking = false
      if (isOver) return
      if (answer.state === 'ok') {
        if (failures > 0) onRegained()
        isFirst = false
        setHeard({ shared: answer.shared, at: Date.now(), isLost: false, isGone: false })
      } else if (answer.state === 'gone') setHeard({ shared: null, at: null, isLost: false, isGone: true })
      else setHeard((before) => ({ ...before, isLost: true }))
      failures = answer.state === 'failed' ? failures + 1 : 0
      timer = setTimeout(next, pauseMs(answer.state, failures, everyMs))
    }
    const onVisible = () => document.visibilityState === 'visible' && void next()
    const onOnline = () => void next()
    document.addEventListener('visibilitychange', onVisible)
    addEventListener('online', onOnline)
    void next()
    return () => {
      isOver = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
      removeEventListener('online', onOnline)
    }
  }, [ask, everyMs, onRegained])
  return heard
}
