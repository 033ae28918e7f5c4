import { isInSandbox, sessionKey } from './tab-storage.ts'
import { formatTime } from './times.ts'

/** The answers that are worth having on a dead line: how things stood, not their history. By the paths of their rows. */
const worthKeeping = new Set([
  '/users/dashboard',
  '/devices',
  '/devices/summary',
  '/devices/:id',
  '/alarm-triggers',
  '/groups',
  '/groups/:id',
  '/groups/:id/overview',
])
const prefix = 'isotherm.known.'
const maxAnswers = 30
const maxLetters = 150_000
const betweenWritesMs = 10_000

// The name of the app's file, which begin.js loads, carries a hash of everything that it loads.
const version = () => document.querySelector<HTMLScriptElement>('script[data-app]')?.dataset.app ?? ''

interface Known {
  /** When it was answered, in ms. */
  at: number
  /** The build of the app that asked: another one may expect another form. */
  version: string
  data: unknown
}

/** Answers of former visits that this page shows until the server has answered: their keys, and when they were given. */
const shown = new Map<string, number>()
const listeners = new Set<() => void>()
const waiting = new Map<string, unknown>()
let timer: ReturnType<typeof setTimeout> | undefined

const tell = () => {
  for (const listener of [...listeners]) listener()
}

/** Keeps an answer for the next visit of this browser, until its person logs out (which clears the storage). */
export function keepAnswer(path: unknown, hash: string, data: unknown): void {
  if (isInSandbox || !worthKeeping.has(String(path))) return
  waiting.set(hash, data)
  timer ??= setTimeout(write, betweenWritesMs)
}

function write() {
  clearTimeout(timer)
  timer = undefined
  const at = Date.now()
  try {
    for (const [hash, data] of waiting) {
      const text = JSON.stringify({ at, version: version(), data } satisfies Known)
      if (text.length <= maxLetters) localStorage.setItem(prefix + hash, text)
      else localStorage.removeItem(prefix + hash)
    }
    dropOldest()
  } catch {
    // Storage is full or forbidden: the next visit waits for the server, as the first one did.
  }
  waiting.clear()
}

function dropOldest() {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix))
  if (keys.length <= maxAnswers) return
  const atOf = (key: string) => Number(localStorage.getItem(key)?.match(/^\{"at":(\d+)/)?.[1] ?? 0)
  keys.sort((a, b) => atOf(a) - atOf(b))
  for (const key of keys.slice(0, keys.length - maxAnswers)) localStorage.removeItem(key)
}

/** The answer of a former visit, marked as shown; undefined where there is none. */
export function lastKnown(path: unknown, hash: string): unknown {
  if (isInSandbox || !worthKeeping.has(String(path))) return undefined
  try {
    const known = JSON.parse(localStorage.getItem(prefix + hash) ?? 'null') as Known | null
    if (known?.version !== version()) return undefined
    shown.set(hash, known.at)
    tell()
    return known.data
  } catch {
    return undefined
  }
}

/** The server has answered: what is shown is new. `isRefused`: it shows the person this no longer. */
export function isRenewed(hash: string, { isRefused = false } = {}): void {
  if (isRefused && !isInSandbox) localStorage.removeItem(prefix + hash)
  if (shown.delete(hash)) tell()
}

/** Whether this page shows an answer of a former visit. */
export const isLastKnown = (hash: string): boolean => shown.has(hash)

/** The time of the oldest answer of a former visit that is shown, in words; null where all is new. */
export const lastKnownTime = (): string | null => (shown.size > 0 ? formatTime(Math.min(...shown.values())) : null)

export function subscribeLastKnown(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Nobody is logged in any more: nothing that waits is written. */
export function forgetAnswers(): void {
  clearTimeout(timer)
  timer = undefined
  waiting.clear()
  shown.clear()
  tell()
}

globalThis.addEventListener?.('pagehide', write)
// Another tab logged out, or in as somebody else: what waits here is for nobody who comes after.
globalThis.addEventListener?.('storage', ({ key }) => {
  if (key === null || key === sessionKey) waiting.clear()
})
