import { useSyncExternalStore } from 'react'

const stepMs = 5_000
/** The time of the sandbox that the tab is in: its clock stands. */
let stands: number | null = null

/** The time, ms since 1970; in a sandbox that of its clock. */
export const nowMs = (): number => stands ?? Date.now()

let now = nowMs()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  if (!timer) {
    now = nowMs()
    timer = setInterval(() => {
      now = nowMs()
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

/** Has the time stand, for the tab of a sandbox. */
export function standAt(at: number): void {
  stands = at
  now = at
  for (const each of [...listeners]) each()
}

/** The time, renewed every 5 s by one timer for the whole page. */
export const useNow = (): number =>
  useSyncExternalStore(subscribe, () => (timer ? now : Math.floor(nowMs() / stepMs) * stepMs))

/** The real time, renewed as often: for keys, calls and messages, which do not go by the clock of a sandbox. */
export const useRealNow = (): number => useSyncExternalStore(subscribe, () => Math.floor(Date.now() / stepMs) * stepMs)
