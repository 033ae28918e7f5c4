import { devices } from '@isotherm/contract/devices.ts'
import { recordLimits } from '@isotherm/contract/records.ts'
import { MultiSelect } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { NoDevices } from '../../../ui/no-devices.tsx'
import { useTypedSearch } from '../../../ui/use-typed-search.ts'

interface DevicesFieldProps {
  value: string[]
  onChange: (value: string[]) => void
  error?: ReactNode
}

/** Which devices it is of, found by what is typed: a fleet has thousands. */
export function DevicesField({ value, onChange, error }: DevicesFieldProps) {
  const { t } = useTranslation('records')
  const { search, setTyped, field } = useTypedSearch()
  const [names, setNames] = useState<Record<string, string>>({})
  const answer = useCall(devices.list, { query: { search: search || undefined, perPage: 50 } }, { keepPrevious: true })
  const found = (answer.data?.data ?? []).map(({ id, name, tag }) => ({
    value: id,
    label: tag ? `${name} · ${tag}` : name,
  }))
  const chosen = value
    .filter((id) => !found.some((option) => option.value === id))
    .map((id) => ({ value: id, label: names[id] ?? id }))
  const data = [...found, ...chosen]
  if (!search && answer.data?.meta.total === 0) return <NoDevices />
  return (
    <MultiSelect
      label={t('new.devices')}
      description={t('new.devicesHelp')}
      nothingFoundMessage={t('new.noDevice')}
      hidePickedOptions
      maxValues={recordLimits.devices}
      {...field}
      data={data}
      value={value}
      onChange={(ids) => {
        setNames(Object.fromEntries(data.map((option) => [option.value, option.label])))
        onChange(ids)
        setTyped('')
      }}
      error={error}
      data-path="deviceIds"
    />
  )
}
