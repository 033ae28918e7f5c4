import { useEffect, useState } from 'react'
import { i18n } from '../../lib/i18n.ts'

/** The reason why a form could not be saved; that it came too often is counted down, and then forgotten. */
export function useFailure() {
  const [failure, setFailure] = useState<string | null>(null)
  const [until, setUntil] = useState<number | null>(null)
  useEffect(() => {
    if (until === null) return
    const tick = () => {
      const seconds = Math.ceil((until - Date.now()) / 1000)
      setFailure(seconds > 0 ? i18n.t('errors:codes.TOO_MANY_REQUESTS', { seconds }) : null)
      if (seconds <= 0) setUntil(null)
    }
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [until])
  return {
    failure,
    fail(text: string | null) {
      setUntil(null)
      setFailure(text)
    },
    waitFor: (seconds: number) => setUntil(Date.now() + seconds * 1000),
  }
}
