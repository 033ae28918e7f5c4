import type { auth } from '@isotherm/contract/auth.ts'
import type { apiBase, Returned } from '@isotherm/contract/call.ts'
import { useEffect, useState } from 'react'

type Row = typeof auth.registration
type Registration = Returned<Row>

/** The call as `lib/call.ts` would make it, which would bring zod to a login screen on which nobody has typed anything yet. */
const address: `${typeof apiBase}${Row['path']}` = '/app/api/v1/auth/registration'

/** The ways to an account and into one; null until they are known, and where they cannot be asked. Guest screens have no query cache. */
export function useRegistration(): Registration | null {
  const [registration, setRegistration] = useState<Registration | null>(null)
  useEffect(() => {
    const asking = new AbortController()
    fetch(address, { headers: { accept: 'application/json' }, signal: asking.signal })
      .then((response) => (response.ok ? (response.json() as Promise<{ payload: Registration }>) : null))
      .then((answer) => setRegistration(answer?.payload ?? null))
      .catch(() => {})
    return () => asking.abort()
  }, [])
  return registration
}
