import { useEffect } from 'react'

interface Turned {
  page: number
  /** Undefined while it is not known, or of the question before. */
  pageCount: number | undefined
  onTurn(page: number): void
}

/** Turns back to the last page where there are fewer by now: rows were deleted, or no longer match, and an empty page would say that there are none. */
export function useLastPage({ page, pageCount, onTurn }: Turned): void {
  const isBeyond = pageCount !== undefined && page > pageCount
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onTurn` may be made anew at each drawing
  useEffect(() => {
    if (isBeyond) onTurn(Math.max(1, pageCount))
  }, [isBeyond, pageCount])
}
