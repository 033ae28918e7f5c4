import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { can } from '../../lib/can.ts'
import { queryClient } from '../../lib/query.ts'
import type { ownItems, PaletteGroup, PaletteItem } from './palette-items.ts'
import type { PaletteSource } from './palette-sources.ts'

const waitMs = 150

interface Loaded {
  sources: PaletteSource[]
  own: typeof ownItems
}

/** The last answer of each source, with the text that it answers. */
type Answers = Record<string, { text: string; items: PaletteItem[]; isFailed: boolean }>

interface PaletteAnswer {
  found: PaletteGroup[]
  /** The titles of the sources that could not be asked. */
  failed: PaletteGroup['title'][]
  isSettled: boolean
}

const noSources: PaletteSource[] = []

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
export function useFound(text: string, isHurried: boolean): PaletteAnswer {
  const { t } = useTranslation('shell')
  const [loaded, setLoaded] = useState<Loaded>()
  useEffect(() => {
    load().then(setLoaded, () => setLoaded({ sources: [], own: () => [] }))
  }, [])
  const sources = loaded?.sources ?? noSources
  const typed = text.trim()
  const [waited] = useDebouncedValue(typed, waitMs)
  const wanted = isHurried ? typed : waited
  const answers = useAnswers(sources, wanted)
  const found = typed ? sources.map(({ title }) => ({ title, items: answers[title]?.items ?? [] })) : []
  const isAnswered = !typed || (wanted === typed && sources.every(({ title }) => answers[title]?.text === wanted))
  return {
    found: [...found, ...(loaded?.own(text, t) ?? [])],
    failed: typed ? sources.flatMap(({ title }) => (answers[title]?.isFailed ? title : [])) : [],
    isSettled: loaded !== undefined && isAnswered,
  }
}

/** Each source shows its answer to the text before until the new one is there. Not `useQueries`: every screen would load it for the palette alone. */
function useAnswers(sources: readonly PaletteSource[], text: string): Answers {
  const [answers, setAnswers] = useState<Answers>({})
  useEffect(() => {
    if (!text) return
    let isOver = false
    for (const { title, find } of sources)
      queryClient
        .fetchQuery({ queryKey: ['palette', title, text], queryFn: ({ signal }) => find(text, signal), retry: false })
        .then(
          (items) => ({ text, items, isFailed: false }),
          () => ({ text, items: [], isFailed: true }),
        )
        .then((answer) => !isOver && setAnswers((before) => ({ ...before, [title]: answer })))
    return () => {
      isOver = true
      void queryClient.cancelQueries({ queryKey: ['palette'] })
    }
  }, [sources, text])
  return answers
}
