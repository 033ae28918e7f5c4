import { alarmLimits } from '@isotherm/contract/alarm-rules.ts'
import { alarms } from '@isotherm/contract/alarms.ts'
import { BulkTriggers } from '@isotherm/contract/triggers.ts'
import { Text, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { call } from '../../../lib/call.ts'
import { toastInfo, toastSuccess } from '../../../lib/toast.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { refetchTriggers } from '../use-trigger-actions.ts'

const Body = BulkTriggers.required({ note: true }).refine(({ note }) => note !== '', {
  message: 'noteNeeded',
  path: ['note'],
})
type Body = z.infer<typeof Body>

/** Resolves one trigger or several with what was found and done. */
export function ResolveDialog({ ids, what, onClose }: { ids: string[]; what: string; onClose: () => void }) {
  const { t } = useTranslation('alarms')
  const [only] = ids
  const form = useEntityForm({
    initialValues: { note: '' },
    schema: Body,
    toBody: ({ note }): Body => ({ ids, action: 'resolve', note: note.trim() }),
    save: async (body) => {
      if (ids.length === 1 && only !== undefined) {
        await call(alarms.resolve, { params: { id: only }, body: { note: body.note } })
        return { changed: ids, unchanged: [] as string[] }
      }
      return call(alarms.bulk, { body })
    },
    onSaved: ({ changed, unchanged }) => {
      if (changed.length > 0) toastSuccess(t('done.resolved', { count: changed.length }))
      if (unchanged.length > 0) toastInfo(t('done.unchanged', { count: unchanged.length }))
      void refetchTriggers()
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('resolve.title', { count: ids.length })}
      form={form}
      submitLabel={t('resolve.action')}
      onClose={onClose}
    >
      {what && <Text size="sm">{what}</Text>}
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
