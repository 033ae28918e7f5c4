import { devices } from '@isotherm/contract/devices.ts'
import { Select, type SelectProps } from '@mantine/core'
import { useState } from 'react'
import { useCall } from '../lib/query.ts'
import { useTypedSearch } from '../ui/use-typed-search.ts'

interface DeviceSelectProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  value?: string | null
  onChange: (id: string | null) => void
  /** The device that is chosen from the start. */
  initial?: { id: string; name: string } | null
  /** Stands here where there is no device at all. */
  none?: React.ReactNode
  /** Chosen devices stand elsewhere: the field is empty again, and keeps the focus for the next one. */
  adds?: boolean
}

/** One device, found by what is typed: a fleet has thousands. */
export function DeviceSelect({ value, onChange, initial, none, adds = false, ...props }: DeviceSelectProps) {
  const { search, setTyped, field } = useTypedSearch()
  const [chosen, setChosen] = useState(initial ? { value: initial.id, label: initial.name } : null)
  // The chosen name stands in the field: it is not searched for.
  const query = { search: search === chosen?.label ? undefined : search || undefined, perPage: 50 }
  const answer = useCall(devices.list, { query }, { keepPrevious: true })
  const found = (answer.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const choices = chosen && !found.some((each) => each.value === chosen.value) ? [chosen, ...found] : found
  if (none && !query.search && answer.data?.meta.total === 0) return none
  return (
    <Select
      {...props}
      {...field}
      data={choices}
      value={value || null}
      onChange={(id) => {
        if (adds) setTyped('')
        else setChosen(choices.find((each) => each.value === id) ?? null)
        onChange(id)
      }}
    />
  )
}
