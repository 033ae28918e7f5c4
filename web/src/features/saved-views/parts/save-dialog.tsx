import { NewSavedView, savedViews } from '@isotherm/contract/saved-views.ts'
import { Checkbox, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { call } from '../../../lib/call.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'

interface SaveDialogProps {
  view: Pick<z.input<typeof NewSavedView>, 'screen' | 'search' | 'columns'>
  onClose: () => void
}

/** Keeps what the list shows under a name. */
export function SaveDialog({ view, onClose }: SaveDialogProps) {
  const { t } = useTranslation('savedViews')
  const form = useEntityForm({
    initialValues: { name: '', isShared: false },
    schema: NewSavedView,
    toBody: (values) => ({ ...view, ...values }),
    save: (body) => call(savedViews.save, { body }),
    onSaved: ({ name }) => {
      toastSuccess(t('saved', { name }))
      void refetchCalls(savedViews.list)
      onClose()
    },
  })
  const { getInputProps } = form.fields
  return (
    <FormDialog title={t('saveTitle')} form={form} submitLabel={t('common:actions.save')} onClose={onClose}>
      <TextInput
        label={t('name')}
        description={t('nameHelp')}
        maxLength={60}
        data-autofocus
        {...getInputProps('name')}
      />
      <Checkbox label={t('share')} description={t('shareHelp')} {...getInputProps('isShared', { type: 'checkbox' })} />
    </FormDialog>
  )
}
