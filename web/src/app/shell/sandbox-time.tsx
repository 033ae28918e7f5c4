import { Fragment, type ReactNode, useEffect, useState } from 'react'
import { standAt } from '../../lib/now.ts'
import { queryClient } from '../../lib/query.ts'
import { useSandboxClock } from '../../shared/use-sandbox-clock.ts'
import { ScreenWaiting } from '../screen-waiting.tsx'

/** The screens of a sandbox's tab show the time of its clock: they begin anew once it was wound. */
export function SandboxTime({ children }: { children: ReactNode }) {
  const clock = useSandboxClock()
  /** When it stood last, and whether that is known. */
  const [stood, setStood] = useState<string | null>(null)
  useEffect(() => {
    if (!clock) return
    standAt(Date.parse(clock.now))
    if (stood !== null && (clock.windsTo !== null || clock.now === stood)) return
    setStood(clock.now)
    if (stood !== null) void queryClient.invalidateQueries()
  }, [clock, stood])
  if (clock === null) return children
  return stood === null ? <ScreenWaiting /> : <Fragment key={stood}>{children}</Fragment>
}
