import { type DispatchWarning, orderWarnings } from '@isotherm/contract/order-warnings.ts'
import { Text, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { toastInfo, toastSuccess } from '../../../lib/toast.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { refetchOrder } from '../refetch-order.ts'

const wordsOf = (text: string) => text.trim().split(/\s+/).join(' ')

interface AcknowledgeDialogProps {
  warning: Pick<DispatchWarning, 'id' | 'trackingCode'>
  what: string
  onClose: () => void
}

/** Acknowledges a warning, with a note for the others or without one. */
export function AcknowledgeDialog({ warning, what, onClose }: AcknowledgeDialogProps) {
  const { t } = useTranslation('orderLife')
  const form = useEntityForm({
    initialValues: { note: '' },
    required: [],
    toBody: ({ note }) => (note.trim() ? { note: note.trim() } : {}),
    save: (body) => call(orderWarnings.acknowledge, { params: { id: warning.id }, body }, { toastAll: true }),
    onSaved: ({ acknowledgedAt, note }, typed) => {
      // The first one stays: where somebody was faster, or the warning is over, the note was not kept.
      if (acknowledgedAt && wordsOf(note ?? '') === wordsOf(typed.note)) toastSuccess(t('warnings.done'))
      else toastInfo(t('warnings.notKept'))
      void refetchOrder()
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('warnings.acknowledgeTitle', { code: warning.trackingCode })}
      form={form}
      submitLabel={t('warnings.acknowledge')}
      onClose={onClose}
    >
      <Text size="sm">{what}</Text>
      <Textarea
        label={t('warnings.note')}
        description={t('warnings.noteHelp')}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={500}
        data-autofocus
        {...form.fields.getInputProps('note')}
      />
    </FormDialog>
  )
}
