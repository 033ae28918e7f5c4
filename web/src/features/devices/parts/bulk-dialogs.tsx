import { DeviceChange, devices } from '@isotherm/contract/devices.ts'
import { Group, groups } from '@isotherm/contract/groups.ts'
import { Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import type { Selection } from '../../../ui/list/use-selection.ts'

interface TagDialogProps {
  count: number
  /** Null takes the tags away. */
  onTag: (tag: string | null) => Promise<void>
  onClose: () => void
}

/** Asks for the tag of several devices; what is left empty takes theirs away, and the button says so. */
export function TagDialog({ count, onTag, onClose }: TagDialogProps) {
  const { t } = useTranslation('deviceSelection')
  const form = useEntityForm({
    initialValues: { tag: '' },
    schema: DeviceChange,
    toBody: ({ tag }) => ({ tag: tag.trim() || null }),
    save: ({ tag }) => onTag(tag),
    onSaved: onClose,
  })
  const isEmpty = form.fields.getValues().tag.trim() === ''
  return (
    <FormDialog
      title={t('tag.title', { count })}
      form={form}
      submitLabel={t(isEmpty ? 'tag.remove' : 'tag.action')}
      onClose={onClose}
    >
      <TextInput
        label={t('tag.label')}
        description={t('tag.help')}
        maxLength={60}
        data-autofocus
        {...form.fields.getInputProps('tag')}
      />
    </FormDialog>
  )
}

/** Asks for a group and adds the selected devices to it: all of them, or none. */
export function GroupDialog({ selection, onClose }: { selection: Selection; onClose: () => void }) {
  const { t } = useTranslation('deviceSelection')
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 250)
  const query = { search: search || undefined, perPage: 50, sort: 'name' } as const
  const found = useCall(groups.list, { query }, { keepPrevious: true }).data?.data ?? []
  const deviceIds = [...selection.ids]
  const form = useEntityForm({
    initialValues: { id: '', name: '' },
    schema: Group.pick({ id: true }),
    toBody: ({ id }) => ({ id: id || undefined }),
    save: (_, { id }) => call(groups.addDevices, { params: { id }, body: { deviceIds } }),
    onSaved: ({ added }, { name }) => {
      const already = deviceIds.length - added
      const counts = { added: formatNumber(added), already: formatNumber(already) }
      toastSuccess(already === 0 ? t('group.added', { count: added, name }) : t('group.addedSome', { ...counts, name }))
      void refetchCalls(
        devices.list,
        groups.list,
        groups.one,
        groups.overview,
        groups.devices,
        groups.chart,
        groups.stats,
      )
      onClose()
      selection.drop(deviceIds)
    },
  })
  const { id, name } = form.fields.getValues()
  // The one chosen stays one of the choices, whatever is typed after it.
  const choices = id && !found.some((group) => group.id === id) ? [{ id, name }, ...found] : found
  return (
    <FormDialog
      title={t('group.title', { count: deviceIds.length })}
      form={form}
      submitLabel={t('group.action')}
      onClose={onClose}
    >
      <Select
        label={t('group.label')}
        placeholder={t('group.find')}
        nothingFoundMessage={t('group.none')}
        searchable
        data-autofocus
        filter={({ options }) => options}
        data={choices.map((group) => ({ value: group.id, label: group.name }))}
        value={id || null}
        // The name of the one chosen stands in the field, and is no search.
        onSearchChange={(text) => setTyped(text === name ? '' : text)}
        onChange={(chosen) => {
          const group = choices.find((each) => each.id === chosen)
          form.fields.setValues({ id: group?.id ?? '', name: group?.name ?? '' })
        }}
        error={form.fields.errors.id}
        data-path="id"
      />
    </FormDialog>
  )
}
