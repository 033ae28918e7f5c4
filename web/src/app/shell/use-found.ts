import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { can } from '../../lib/can.ts'
import type { PaletteItem } from './palette-items.ts'
import type { PaletteSource } from './palette-sources.ts'

const waitMs = 150

/**
 * Asks the palette's sources for a text. `isHurried` asks at once. `isSettled` once all have answered for this very text, or
 * cannot.
 */
export function useFound(
  text: string,
  isHurried: boolean,
): { found: { title: string; items: PaletteItem[] }[]; isSettled: boolean } {
  const [sources, setSources] = useState<PaletteSource[]>()
  useEffect(() => {
    import('./palette-sources.ts').then(
      ({ paletteSources }) => setSources(paletteSources.filter(({ needs }) => can(needs))),
      () => setSources([]),
    )
  }, [])
  const typed = text.trim()
  const [waited] = useDebouncedValue(typed, waitMs)
  const wanted = isHurried ? typed : waited
  const answers = useQueries({
    queries: (sources ?? []).map((source) => ({
      queryKey: ['palette', source.title, wanted],
      queryFn: ({ signal }: { signal: AbortSignal }) => source.find(wanted, signal),
      enabled: wanted.length > 0,
      placeholderData: keepPreviousData,
      retry: false,
    })),
  })
  return {
    found: typed ? (sources ?? []).map(({ title }, index) => ({ title, items: answers[index]?.data ?? [] })) : [],
    isSettled: !typed || (sources !== undefined && wanted === typed && answers.every(({ isFetching }) => !isFetching)),
  }
}
