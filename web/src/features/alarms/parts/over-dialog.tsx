import { alarmLimits } from '@isotherm/contract/alarm-rules.ts'
import { alarms } from '@isotherm/contract/alarms.ts'
import { ResolveOver } from '@isotherm/contract/triggers.ts'
import { Text, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { toastResult } from '../../../lib/toast.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { refetchTriggers } from '../use-trigger-actions.ts'

const Body = ResolveOver.refine(({ note }) => note !== '', { message: 'noteNeeded', path: ['note'] })

interface OverDialogProps {
  count: number
  /** Those of the list. */
  filters: Omit<ResolveOver, 'note'>
  onClose: () => void
}

/** Resolves all that is back to normal with one note. */
export function OverDialog({ count, filters, onClose }: OverDialogProps) {
  const { t } = useTranslation('alarms')
  const form = useEntityForm({
    initialValues: { note: '' },
    schema: Body,
    toBody: ({ note }): ResolveOver => ({ ...filters, note: note.trim() }),
    save: (body) => call(alarms.resolveOver, { body }),
    onSaved: ({ changed, left }) => {
      toastResult(
        changed > 0 ? t('done.resolved', { count: changed }) : null,
        left > 0
          ? (done) => (done ? t('over.leftAfter', { done, count: left }) : t('over.left', { count: left }))
          : null,
      )
      void refetchTriggers()
      onClose()
    },
  })
  return (
    <FormDialog title={t('over.title')} form={form} submitLabel={t('resolve.action')} onClose={onClose}>
      <Text size="sm">{t('over.text', { count })}</Text>
      <Textarea
        label={t('resolve.note')}
        description={t('resolve.noteHelp')}
        autosize
        minRows={3}
        maxRows={10}
        maxLength={alarmLimits.noteLength}
        data-autofocus
        {...form.fields.getInputProps('note')}
      />
    </FormDialog>
  )
}
