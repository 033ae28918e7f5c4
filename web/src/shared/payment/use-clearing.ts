import { limits } from '@isotherm/contract/limits.ts'
import { useEffect, useEffectEvent } from 'react'

/** A message of the wallet goes by itself after 7 s in which it could be seen; the history has what it said. */
export function useClearing(isOver: boolean, onClose: (() => void) | undefined) {
  const close = useEffectEvent(() => onClose?.())
  useEffect(() => {
    if (!isOver) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const count = () => {
      clearTimeout(timer)
      timer = document.hidden ? undefined : setTimeout(close, limits.walletMessageMs)
    }
    count()
    document.addEventListener('visibilitychange', count)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', count)
    }
  }, [isOver])
}
