import { type Group, groups, NewGroup } from '@isotherm/contract/groups.ts'
import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { refetchGroups } from '../refetch-groups.ts'
import { VisibilityField } from './visibility-field.tsx'

/** Creates a group; its devices and members are added on its own screens. */
export function GroupDialog({ onClose, onMade }: { onClose: () => void; onMade: (group: Group) => void }) {
  const { t } = useTranslation('groups')
  const form = useEntityForm({
    initialValues: { name: '', visibility: 'public' as Group['visibility'] },
    schema: NewGroup,
    toBody: (values) => values,
    save: (body) => call(groups.add, { body }),
    onSaved: (group) => {
      toastSuccess(t('created'))
      void refetchGroups()
      onMade(group)
    },
  })
  return (
    <FormDialog title={t('add')} form={form} submitLabel={t('add')} onClose={onClose}>
      <TextInput label={t('fields.name')} data-autofocus maxLength={80} {...form.fields.getInputProps('name')} />
      <VisibilityField {...form.fields.getInputProps('visibility')} />
    </FormDialog>
  )
}
