import { auth } from '@isotherm/contract/auth.ts'
import type { Returned } from '@isotherm/contract/call.ts'
import { useEffect, useState } from 'react'
import { call } from '../../../lib/call.ts'

type Registration = Returned<typeof auth.registration>

/** The ways to an account and into one; null until they are known, and where they cannot be asked. Guest screens have no query cache. */
export function useRegistration(): Registration | null {
  const [registration, setRegistration] = useState<Registration | null>(null)
  useEffect(() => {
    const asking = new AbortController()
    call(auth.registration, undefined, { signal: asking.signal }).then(setRegistration, () => {})
    return () => asking.abort()
  }, [])
  return registration
}
