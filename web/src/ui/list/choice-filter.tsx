import { Select, type SelectProps } from '@mantine/core'
import type { ListParams } from './use-list-params.ts'

interface ChoiceFilterProps extends Pick<SelectProps, 'data' | 'w' | 'limit'> {
  params: ListParams
  /** The name of the filter in the URL. */
  name: string
  label: string
}

/** One filter of a list with too many values for chips; nothing where there is nothing to choose. */
export function ChoiceFilter({ params, name, label, data, w = 150, limit }: ChoiceFilterProps) {
  if (!data?.length) return null
  return (
    <Select
      size="sm"
      w={w}
      clearable
      searchable
      limit={limit}
      aria-label={label}
      placeholder={label}
      data={data}
      value={params.filters[name] ?? null}
      onChange={(value) => params.change({ filters: { [name]: value ?? undefined } })}
    />
  )
}
