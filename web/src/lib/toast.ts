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
/** The dialogs that are not done yet, and what they have to say then. */
let holds = 0
let held: (() => void) | null = null
const listeners = new Set<() => void>()

function become(next: readonly Toast[]) {
  toasts = next
  for (const listener of [...listeners]) listener()
}

function show(kind: Toast['kind'], text: string, lastsMs: number = limits.toastMs) {
  if (kind !== 'error' && holds > 0) {
    held = () => show(kind, text, lastsMs)
    return
  }
  // The same sentence twice at once says no more than once.
  if (toasts.some((toast) => toast.text === text && toast.kind === kind)) return
  lastId += 1
  // Errors wait for each other; a success is news that makes what stood before old.
  const before = kind === 'error' ? toasts.filter((toast) => toast.kind === 'error') : []
  become([...before, { id: lastId, kind, text, lastsMs }])
}

/** Keeps the news of what was done back until what this gives back is called: a toast must not come over its own dialog. Errors come at once. */
export function holdToasts(): () => void {
  holds += 1
  return () => {
    holds -= 1
    if (holds > 0) return
    held?.()
    held = null
  }
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
