import { Assignment, triage } from '@isotherm/contract/triage.ts'
import type { Trigger } from '@isotherm/contract/triggers.ts'
import { Select, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { useAssign } from '../use-trigger-actions.ts'

interface AssignDialogProps {
  ids: string[]
  /** The one of now, of a single trigger. */
  assignee: Trigger['assignee']
  onClose: () => void
}

const nobody = '0'

/** Asks who looks after one trigger or several: one of those who may handle it, or nobody. */
export function AssignDialog({ ids, assignee, onClose }: AssignDialogProps) {
  const { t } = useTranslation('triggers')
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 250)
  const { send, sayDone } = useAssign()
  const trigger = ids.length === 1 ? ids[0] : undefined
  const all = useCall(triage.assignees, { query: { trigger } }).data ?? []
  // The field holds the name of the chosen one: that is no search.
  const isChosen = [t('assignee.free'), assignee?.name, ...all.map(({ name }) => name)].includes(search)
  const isSearch = search !== '' && !isChosen
  const found = useCall(
    triage.assignees,
    { query: { trigger, search } },
    { keepPrevious: true, enabled: isSearch },
  ).data
  const people = (isSearch && found) || all
  const form = useEntityForm({
    initialValues: { userId: assignee?.id ?? null },
    schema: Assignment,
    toBody: ({ userId }): Assignment => ({ userId: userId === nobody ? null : userId }),
    save: ({ userId }) => send(ids, userId),
    onSaved: (changed) => {
      sayDone(changed)
      onClose()
    },
  })
  const chosen = assignee && !people.some(({ id }) => id === assignee.id) ? [assignee] : []
  return (
    <FormDialog title={t('assignee.dialog')} form={form} submitLabel={t('assignee.save')} onClose={onClose}>
      <Select
        label={t('assignee.person')}
        placeholder={t('assignee.find')}
        nothingFoundMessage={t('assignee.none')}
        searchable
        searchValue={typed}
        onSearchChange={setTyped}
        // The server has searched.
        filter={({ options }) => options}
        data={[
          { value: nobody, label: t('assignee.free') },
          ...[...chosen, ...people].map(({ id, name }) => ({ value: id, label: name })),
        ]}
        {...form.fields.getInputProps('userId')}
      />
      <Text size="sm" c="dimmed">
        {t('assignee.told')}
      </Text>
    </FormDialog>
  )
}
