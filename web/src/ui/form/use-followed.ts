import { useEffect } from 'react'

interface Followed<T> {
  /** The thing as it is now, loaded again and again. */
  thing: T
  /** The thing that the form was filled from. */
  seen: T
  isUnsaved: () => boolean
  /** Fills the form from the thing as it is now. */
  follow: (thing: T) => void
}

/** Fills a form again once somebody else changed its thing, but not while something typed is unsaved: that stays, and is saved as a change of what was seen. */
export function useFollowed<T extends { version: number }>({ thing, seen, isUnsaved, follow }: Followed<T>): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a newer thing is followed, not a form that is saved again
  useEffect(() => {
    if (thing.version > seen.version && !isUnsaved()) follow(thing)
  }, [thing])
}
