import { devices } from '@isotherm/contract/devices.ts'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { useCall } from '../../../lib/query.ts'

interface Choice {
  value: string
  label: string
}

/** Any device, or one found by what is typed; not there for a role that may not see devices. */
export function DeviceFilter({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const { t } = useTranslation('notifications')
  const mayView = useCan('devices.view')
  const [chosen, setChosen] = useState<Choice | null>(null)
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 250)
  // The chosen name stands in the field: it is not searched for.
  const query = { search: search === chosen?.label ? undefined : search || undefined, perPage: 50 }
  const answer = useCall(devices.list, { query }, { keepPrevious: true, enabled: mayView })
  if (!mayView) return null
  const found = (answer.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const choices = chosen && !found.some((each) => each.value === chosen.value) ? [chosen, ...found] : found
  return (
    <Select
      aria-label={t('device')}
      placeholder={t('anyDevice')}
      nothingFoundMessage={t('common:list.noResults')}
      searchable
      clearable
      // The server has searched already, also by tag and IMEI.
      filter={({ options }) => options}
      data={choices}
      value={value}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(id) => {
        setChosen(choices.find((each) => each.value === id) ?? null)
        onChange(id)
      }}
    />
  )
}
