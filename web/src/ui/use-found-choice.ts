import { useState } from 'react'
import { useTypedSearch } from './use-typed-search.ts'

interface Choice {
  value: string
  label: string
}

/**
 * A choice of one among what the server finds by what is typed. What is chosen stays a choice, though it was not found or is deleted meanwhile:
 * `kept` is what was chosen at the beginning. The text to ask for, and the props of the Select.
 */
export function useFoundChoice(kept: Choice | null) {
  const { search, field } = useTypedSearch()
  const [known, setKnown] = useState(kept)
  return {
    // The field holds the name of the chosen one: that is no search.
    search: search === known?.label ? undefined : search || undefined,
    propsOf: (found: readonly Choice[], value: string, choose: (value: string) => void) => {
      const chosen = known?.value === value ? known : found.find((one) => one.value === value)
      const isFound = !chosen || found.some((one) => one.value === chosen.value)
      return {
        ...field,
        data: isFound ? [...found] : [chosen, ...found],
        value: chosen?.value ?? null,
        onChange: (next: string | null, option: Choice | null) => {
          setKnown(option)
          choose(next ?? '')
        },
      }
    },
  }
}
