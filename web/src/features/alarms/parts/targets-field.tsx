import { alarmLimits } from '@isotherm/contract/alarm-rules.ts'
import { devices } from '@isotherm/contract/devices.ts'
import { limits } from '@isotherm/contract/limits.ts'
import { Button, Group, Pill, Select, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { toastError } from '../../../lib/toast.ts'
import type { Named } from '../alarm-values.ts'
import type { PartProps } from './form-props.ts'
import { GroupsField } from './groups-field.tsx'

/** More names than these say less than their number. */
const maxShown = 24

/**
 * The targets: devices found by what is typed, or all that are found at once, and groups. `more`: targets that are not
 * listed.
 */
export function TargetsField({ values, change, errors, more }: PartProps & { more: number }) {
  const { t } = useTranslation('alarms')
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 250)
  const [adding, setAdding] = useState(false)
  const query = { search: search || undefined, perPage: 50 }
  const answer = useCall(devices.list, { query }, { keepPrevious: true })
  const chosen = new Set(values.devices.map(({ id }) => id))
  const found = (answer.data?.data ?? []).filter(({ id }) => !chosen.has(id))
  const total = answer.data?.meta.total ?? 0
  const add = (added: Named[]) => {
    const fresh = added.filter(({ id }) => !chosen.has(id)).map(({ id, name }) => ({ id, name }))
    change({ devices: [...values.devices, ...fresh].slice(0, alarmLimits.targets) })
  }
  const addAll = async () => {
    setAdding(true)
    try {
      add(await allFound(search))
    } catch {
      toastError(t('form.addAllFailed'))
    } finally {
      setAdding(false)
    }
  }
  return (
    <Stack gap="xs">
      <Group gap="sm" align="flex-end">
        <Select
          style={{ flex: '1 1 220px' }}
          label={t('form.devices')}
          placeholder={t('form.findDevice')}
          nothingFoundMessage={t('form.noDevice')}
          searchable
          // The server has searched already, also by tag and IMEI.
          filter={({ options }) => options}
          data={found.map(({ id, name, tag }) => ({ value: id, label: tag ? `${name} · ${tag}` : name }))}
          value={null}
          searchValue={typed}
          onSearchChange={setTyped}
          onChange={(id) => {
            const device = found.find((each) => each.id === id)
            if (device) add([device])
            setTyped('')
          }}
          error={errors.deviceIds}
          data-path="deviceIds"
        />
        {total > 1 && values.devices.length < alarmLimits.targets && (
          <Button variant="default" loading={adding} onClick={() => void addAll()}>
            {t('form.addAll', { count: Math.min(total, alarmLimits.targets) })}
          </Button>
        )}
      </Group>
      <GroupsField values={values} change={change} errors={errors} />
      {(values.devices.length > 0 || values.groups.length > 0) && (
        <Group gap={6}>
          <Group gap={6} role="list" aria-label={t('form.chosen')}>
            {values.groups.map((group) => (
              <Pill
                key={`g${group.id}`}
                role="listitem"
                withRemoveButton
                removeButtonProps={{ 'aria-label': t('form.remove', { name: group.name }), 'aria-hidden': false }}
                onRemove={() => change({ groups: values.groups.filter(({ id }) => id !== group.id) })}
              >
                {t('form.group', { name: group.name })}
              </Pill>
            ))}
            {values.devices.slice(0, maxShown).map((device) => (
              <Pill
                key={device.id}
                role="listitem"
                withRemoveButton
                removeButtonProps={{ 'aria-label': t('form.remove', { name: device.name }), 'aria-hidden': false }}
                onRemove={() => change({ devices: values.devices.filter(({ id }) => id !== device.id) })}
              >
                {device.name}
              </Pill>
            ))}
          </Group>
          {values.devices.length > maxShown && (
            <Text size="sm" c="dimmed">
              {t('form.moreDevices', { count: values.devices.length - maxShown })}
            </Text>
          )}
          {values.devices.length > 1 && (
            <Button variant="subtle" size="compact-sm" onClick={() => change({ devices: [] })}>
              {t('form.removeAll')}
            </Button>
          )}
        </Group>
      )}
      {more > 0 && (
        <Text size="xs" c="dimmed">
          {t('form.unlisted', { count: more, number: formatNumber(more) })}
        </Text>
      )}
    </Stack>
  )
}

async function allFound(search: string): Promise<Named[]> {
  const found: Named[] = []
  for (let page = 1; found.length < alarmLimits.targets; page++) {
    const answer = await call(devices.list, {
      query: { search: search || undefined, page, perPage: limits.maxPerPage, sort: 'name' },
    })
    found.push(...answer.data)
    if (page >= answer.meta.pageCount) break
  }
  return found
}
