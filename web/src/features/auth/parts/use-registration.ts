import { auth } from '@isotherm/contract/auth.ts'
import { useEffect, useState } from 'react'
import { call } from '../../../lib/call.ts'

type Mode = 'open' | 'invite' | 'off'

/** Whether sign-up is open here; null until it is known, and where it cannot be asked. Guest screens have no query cache. */
export function useRegistration(): Mode | null {
  const [mode, setMode] = useState<Mode | null>(null)
  useEffect(() => {
    const asking = new AbortController()
    call(auth.registration, undefined, { signal: asking.signal }).then(
      (answer) => setMode(answer.mode),
      () => {},
    )
    return () => asking.abort()
  }, [])
  return mode
}
