import { eventsKeptDays, Replay, type WebhookEndpoint } from '@isotherm/contract/webhooks.ts'
import { instantOf, localTimeOf } from '@isotherm/contract/zone-times.ts'
import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../lib/session.ts'
import { DateField } from '../../../ui/date-field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { hostOf } from '../endpoint-words.ts'
import { replayTo } from '../replay-to.ts'

const hourMs = 3_600_000

/** Has the events of a period sent again: at first the last hour. */
export function ReplayDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const { t } = useTranslation('webhooks')
  const zone = useSession((state) => state.timezone)
  const now = Date.now()
  const form = useEntityForm({
    initialValues: { from: localTimeOf(now - hourMs, zone), to: localTimeOf(now, zone) },
    schema: Replay,
    toBody: ({ from, to }) => ({ what: 'period' as const, from: instantOf(from, zone), to: instantOf(to, zone) }),
    save: (body) => replayTo(t, endpoint.id, body),
    onSaved: onClose,
  })
  const { getInputProps } = form.fields
  return (
    <FormDialog
      title={t('replay.title', { host: hostOf(endpoint.url) })}
      form={form}
      submitLabel={t('replay.submit')}
      onClose={onClose}
    >
      <Text size="sm">{t('replay.text', { days: eventsKeptDays })}</Text>
      <DateField label={t('replay.from')} withTime data-autofocus {...getInputProps('from')} />
      <DateField label={t('replay.to')} withTime {...getInputProps('to')} />
    </FormDialog>
  )
}
