import { useSyncExternalStore } from 'react'

const stepMs = 5_000
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  if (!timer) {
    now = Date.now()
    timer = setInterval(() => {
      now = Date.now()
      for (const each of [...listeners]) each()
    }, stepMs)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The time, renewed every 5 s by one timer for the whole page. */
export const useNow = (): number =>
  useSyncExternalStore(subscribe, () => (timer ? now : Math.floor(Date.now() / stepMs) * stepMs))
