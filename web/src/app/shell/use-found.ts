import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { can } from '../../lib/can.ts'
import type { ownItems, PaletteGroup } from './palette-items.ts'
import type { PaletteSource } from './palette-sources.ts'

const waitMs = 150

interface Loaded {
  sources: PaletteSource[]
  own: typeof ownItems
}

// Not with the shell, which every screen loads.
const load = async (): Promise<Loaded> => {
  const [{ paletteSources }, { ownItems }] = await Promise.all([
    import('./palette-sources.ts'),
    import('./palette-items.ts'),
  ])
  return { sources: paletteSources.filter(({ needs }) => can(needs)), own: ownItems }
}

/**
 * Asks the palette's sources for a text, and adds the actions and screens that fit it. `isHurried` asks at once. `isSettled` once all have
 * answered for this very text, or cannot.
 */
export function useFound(text: string, isHurried: boolean): { found: PaletteGroup[]; isSettled: boolean } {
  const { t } = useTranslation('shell')
  const [loaded, setLoaded] = useState<Loaded>()
  useEffect(() => {
    load().then(setLoaded, () => setLoaded({ sources: [], own: () => [] }))
  }, [])
  const sources = loaded?.sources ?? []
  const typed = text.trim()
  const [waited] = useDebouncedValue(typed, waitMs)
  const wanted = isHurried ? typed : waited
  const answers = useQueries({
    queries: sources.map((source) => ({
      queryKey: ['palette', source.title, wanted],
      queryFn: ({ signal }: { signal: AbortSignal }) => source.find(wanted, signal),
      enabled: wanted.length > 0,
      placeholderData: keepPreviousData,
      retry: false,
    })),
  })
  const found = typed ? sources.map(({ title }, index) => ({ title, items: answers[index]?.data ?? [] })) : []
  const isAnswered = !typed || (wanted === typed && answers.every(({ isFetching }) => !isFetching))
  return {
    found: [...found, ...(loaded?.own(text, t) ?? [])],
    isSettled: loaded !== undefined && isAnswered,
  }
}
