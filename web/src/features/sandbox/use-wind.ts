import { type ScenarioKind, sandboxClock } from '@isotherm/contract/sandbox-clock.ts'
import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { refetchCalls } from '../../lib/query.ts'

/** Winding the clock of the sandbox, and playing scenarios. Failed calls tell by themselves what went wrong. */
export function useWind() {
  const [isAsked, setAsked] = useState(false)
  const run = (work: () => Promise<unknown>) => {
    setAsked(true)
    void work()
      .catch(() => undefined)
      .finally(() => refetchCalls(sandboxClock.show))
      .finally(() => setAsked(false))
  }
  return {
    isAsked,
    wind: (minutes: number) => run(() => call(sandboxClock.wind, { body: { minutes } }, { toastAll: true })),
    play: (kind: ScenarioKind) => run(() => call(sandboxClock.play, { body: { kind } }, { toastAll: true })),
  }
}
