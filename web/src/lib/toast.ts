import { limits } from '@isotherm/contract/limits.ts'

export interface Toast {
  id: number
  kind: 'error' | 'success' | 'info'
  text: string
  /** Milliseconds until it goes by itself. */
  lastsMs: number
}

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function become(next: readonly Toast[]) {
  toasts = next
  for (const listener of [...listeners]) listener()
}

function show(kind: Toast['kind'], text: string, lastsMs: number = limits.toastMs) {
  // The same sentence twice at once says no more than once.
  if (toasts.some((toast) => toast.text === text && toast.kind === kind)) return
  lastId += 1
  // Errors wait for each other; a success is news that makes what stood before old.
  const before = kind === 'error' ? toasts.filter((toast) => toast.kind === 'error') : []
  become([...before, { id: lastId, kind, text, lastsMs }])
}

export const toastError = (text: string) => show('error', text)
export const toastSuccess = (text: string, lastsMs?: number) => show('success', text, lastsMs)
/** @public */
export const toastInfo = (text: string) => show('info', text)
/**
 * The result of a bulk: what was done and what was not, together, since one toast takes the place of another. `rest` words what
 * was not done, after what was: each language joins both in its own way.
 */
export function toastResult(done: string | null, rest: ((done: string | null) => string) | null) {
  const text = rest ? rest(done) : done
  if (text) show(done ? 'success' : 'info', text)
}
export const dismissToast = (id: number) => become(toasts.filter((toast) => toast.id !== id))
/** Takes the errors away that are over or are said elsewhere: all, or those of these texts. */
export const dismissErrors = (texts?: readonly string[]) =>
  become(toasts.filter(({ kind, text }) => kind !== 'error' || (texts && !texts.includes(text))))
/** Those that wait; the first is shown. */
export const getToasts = () => toasts
export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
