import { useEffect, useState, useSyncExternalStore } from 'react'

/** An instant (ms) that several views point at; null while nobody points. A store, so that moving it draws no page anew. */
export interface Cursor {
  get(): number | null
  set(at: number | null): void
  subscribe(listener: () => void): () => void
}

export function createCursor(): Cursor {
  let at: number | null = null
  const listeners = new Set<() => void>()
  return {
    get: () => at,
    set(next) {
      if (next === at) return
      at = next
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

export const useCursor = (cursor: Cursor): number | null => useSyncExternalStore(cursor.subscribe, cursor.get)

/** True from the first time on that it points at something. */
export function useWasPointed(cursor: Cursor): boolean {
  const [was, setWas] = useState(() => cursor.get() !== null)
  useEffect(() => (was ? undefined : cursor.subscribe(() => setWas(true))), [cursor, was])
  return was
}
