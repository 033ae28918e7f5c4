import { type SandboxClock, sandboxClock } from '@isotherm/contract/sandbox-clock.ts'
import { useState } from 'react'
import { useCall } from '../lib/query.ts'
import { isInSandbox } from '../lib/tab-storage.ts'

const [windingMs, standingMs] = [1_000, 15_000]

/** The clock of the sandbox that the tab is in; undefined until it is known, null where there is none. */
export function useSandboxClock(): SandboxClock | null | undefined {
  const [isWinding, setWinding] = useState(false)
  const answer = useCall(sandboxClock.show, undefined, {
    ...{ enabled: isInSandbox, refetchMs: isWinding ? windingMs : standingMs },
  })
  const clock = answer.data?.clock ?? (answer.data || answer.error ? null : undefined)
  const winds = clock?.windsTo != null
  if (winds !== isWinding) setWinding(winds)
  return clock
}
