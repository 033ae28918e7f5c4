import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'

/**
 * A choice whose options the server finds by what is typed: the text to ask for, once typing pauses, what stands in the field now, and
 * the props of the Select or MultiSelect.
 */
export function useTypedSearch() {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 250)
  const field = {
    searchable: true,
    // The server has searched already, perhaps by more than the label.
    filter: <Options>({ options }: { options: Options }) => options,
    searchValue: typed,
    onSearchChange: setTyped,
  }
  return { search, typed, setTyped, field }
}
