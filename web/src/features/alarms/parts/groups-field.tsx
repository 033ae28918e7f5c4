import { alarmLimits } from '@isotherm/contract/alarm-rules.ts'
import { groups } from '@isotherm/contract/groups.ts'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { useCall } from '../../../lib/query.ts'
import type { PartProps } from './form-props.ts'

/** Which groups it watches, found by what is typed; nothing for a role that may not see groups, or where there are none. */
export function GroupsField({ values, change, errors }: PartProps) {
  const { t } = useTranslation('alarms')
  const mayView = useCan('groups.view')
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 250)
  const query = { search: search || undefined, perPage: 50 }
  const answer = useCall(groups.list, { query }, { keepPrevious: true })
  const chosen = new Set(values.groups.map(({ id }) => id))
  const found = (answer.data?.data ?? []).filter(({ id }) => !chosen.has(id))
  const isNone = answer.data?.meta.total === 0 && !search && chosen.size === 0
  if (!mayView || isNone || values.groups.length >= alarmLimits.targets) return null
  return (
    <Select
      label={t('form.groups')}
      description={t('form.groupsHelp')}
      placeholder={t('form.findGroup')}
      nothingFoundMessage={t('form.noGroup')}
      searchable
      filter={({ options }) => options}
      data={found.map(({ id, name, deviceCount }) => ({
        value: id,
        label: `${name} (${t('targets.devices', { count: deviceCount })})`,
      }))}
      value={null}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(id) => {
        const group = found.find((each) => each.id === id)
        if (group) change({ groups: [...values.groups, { id: group.id, name: group.name }] })
        setTyped('')
      }}
      error={errors.groupIds}
      data-path="groupIds"
    />
  )
}
