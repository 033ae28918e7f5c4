import { useDebouncedValue } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'
import { can } from '../../lib/can.ts'
import type { PaletteItem } from './palette-source.ts'
import { paletteSources } from './palette-sources.ts'

const waitMs = 200

/** Searches the palette's sources for a text of at least one character. */
export function useFound(text: string): { title: string; items: PaletteItem[] }[] {
  const [wanted] = useDebouncedValue(text.trim(), waitMs)
  const answers = useQueries({
    queries: paletteSources.map((source) => ({
      queryKey: ['palette', source.title, wanted],
      queryFn: ({ signal }: { signal: AbortSignal }) => source.find(wanted, signal),
      enabled: wanted.length > 0 && can(source.needs),
    })),
  })
  return paletteSources.map((source, index) => ({
    title: source.title,
    items: wanted.length > 0 ? (answers[index]?.data ?? []) : [],
  }))
}
