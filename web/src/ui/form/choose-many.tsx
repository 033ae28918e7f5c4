import { MultiSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useTypedSearch } from '../use-typed-search.ts'

export interface Chosen {
  id: string
  label: string
}

interface ChooseManyProps {
  label: string
  placeholder: string
  /** Where the contract has it. */
  path: string
  description?: string
  error: ReactNode
  chosen: Chosen[]
  onChange: (chosen: Chosen[]) => void
  /** The server's results for a text. */
  useFound: (search: string) => Chosen[]
}

/** Several of many, found by what is typed. What was chosen stays chosen while another text is searched for. */
export function ChooseMany({
  label,
  placeholder,
  path,
  description,
  error,
  chosen,
  onChange,
  useFound,
}: ChooseManyProps) {
  const { t } = useTranslation()
  const { search, field } = useTypedSearch()
  const found = useFound(search)
  const known = new Map([...found, ...chosen].map((each) => [each.id, each]))
  return (
    <MultiSelect
      label={label}
      placeholder={chosen.length === 0 ? placeholder : undefined}
      nothingFoundMessage={t('form.nothingFound')}
      {...field}
      hidePickedOptions
      data={[...known.values()].map((each) => ({ value: each.id, label: each.label }))}
      value={chosen.map(({ id }) => id)}
      onChange={(ids) => onChange(ids.flatMap((id) => known.get(id) ?? []))}
      {...(description && { description })}
      error={error}
      data-path={path}
    />
  )
}
