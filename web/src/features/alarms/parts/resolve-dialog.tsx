import { alarmLimits } from '@isotherm/contract/alarm-rules.ts'
import { alarms } from '@isotherm/contract/alarms.ts'
import { BulkTriggers, type Trigger } from '@isotherm/contract/triggers.ts'
import { Alert, Text, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { call } from '../../../lib/call.ts'
import { toastResult } from '../../../lib/toast.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { conditionValue } from '../trigger-words.ts'
import { usePresentValue } from '../use-present-value.ts'
import { refetchTriggers, unchangedOf } from '../use-trigger-actions.ts'

const Body = BulkTriggers.required({ note: true }).refine(({ note }) => note !== '', {
  message: 'noteNeeded',
  path: ['note'],
})
type Body = z.infer<typeof Body>

const lasts = ({ state }: Trigger) => state === 'open' || state === 'acknowledged'

interface ResolveDialogProps {
  ids: string[]
  /** Those, as they were when last seen. */
  triggers: readonly Trigger[]
  what: string
  onClose: () => void
}

/** Resolves one trigger or several with what was found and done; says first which are not over. */
export function ResolveDialog({ ids, triggers, what, onClose }: ResolveDialogProps) {
  const { t } = useTranslation('alarms')
  const [only] = ids
  const lasting = triggers.filter(lasts)
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
      toastResult(
        changed.length > 0 ? t('done.resolved', { count: changed.length }) : null,
        unchangedOf(t, unchanged.length),
      )
      void refetchTriggers()
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('resolve.title', { count: ids.length })}
      form={form}
      submitLabel={t(lasting.length > 0 ? 'resolve.anyway' : 'resolve.action')}
      onClose={onClose}
    >
      {what && <Text size="sm">{what}</Text>}
      {lasting[0] && (
        <Alert
          color="orange"
          title={<StillOutside trigger={lasting[0]} count={lasting.length} />}
          styles={{ title: { color: 'var(--mantine-color-text)' } }}
        >
          {t('resolve.again')}
        </Alert>
      )}
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

/** "Still 12.3 °C. Resolve anyway?", or how many are not over. */
function StillOutside({ trigger, count }: { trigger: Trigger; count: number }) {
  const { t } = useTranslation('alarms')
  const newest = usePresentValue(trigger)?.newest
  if (count > 1 || !newest) return t('resolve.stillOutside', { count })
  return t('resolve.still', { value: conditionValue(trigger.condition, newest.value) })
}
