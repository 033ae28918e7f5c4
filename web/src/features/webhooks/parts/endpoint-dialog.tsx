import {
  type ChosenEvent,
  EndpointChange,
  type EndpointWithSecret,
  NewEndpoint,
  type WebhookEndpoint,
  webhooks,
} from '@isotherm/contract/webhooks.ts'
import { Checkbox, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { refetchWebhooks } from '../refetch.ts'
import { EventTree } from './event-tree.tsx'

interface EndpointDialogProps {
  /** Null: a new one. */
  endpoint: WebhookEndpoint | null
  onMade: (endpoint: EndpointWithSecret) => void
  onClose: () => void
}

const usual: ChosenEvent[] = ['alarm.opened', 'alarm.normal', 'alarm.resolved']

/** Adds an endpoint, or changes one. */
export function EndpointDialog({ endpoint, onMade, onClose }: EndpointDialogProps) {
  const { t } = useTranslation('webhooks')
  const form = useEntityForm({
    initialValues: {
      ...{ url: endpoint?.url ?? 'https://', description: endpoint?.description ?? '' },
      ...{ events: endpoint?.events ?? usual, seesPrivate: endpoint?.seesPrivate ?? false },
    },
    schema: endpoint ? EndpointChange : NewEndpoint,
    toBody: (values) => (endpoint ? { ...values, version: endpoint.version } : values),
    save: (body): Promise<WebhookEndpoint | EndpointWithSecret> =>
      endpoint
        ? call(webhooks.change, { params: { id: endpoint.id }, body: { ...body, version: endpoint.version } })
        : call(webhooks.add, { body }),
    onSaved: (saved) => {
      void refetchWebhooks()
      toastSuccess(t(endpoint ? 'done.changed' : 'done.added'))
      if ('secret' in saved) onMade(saved)
      else onClose()
    },
  })
  const { getInputProps, getValues, setFieldValue, errors } = form.fields
  return (
    <FormDialog
      title={t(endpoint ? 'form.change' : 'form.add')}
      form={form}
      submitLabel={t(endpoint ? 'form.save' : 'form.add')}
      onClose={onClose}
    >
      <TextInput
        label={t('form.url')}
        type="url"
        inputMode="url"
        spellCheck={false}
        autoCapitalize="off"
        data-autofocus
        {...getInputProps('url')}
      />
      <TextInput label={t('form.description')} maxLength={200} {...getInputProps('description')} />
      <EventTree
        value={getValues().events}
        onChange={(events) => setFieldValue('events', events)}
        {...(typeof errors.events === 'string' ? { error: errors.events } : {})}
      />
      <Checkbox
        label={t('form.seesPrivate')}
        description={t('form.seesPrivateHelp')}
        {...getInputProps('seesPrivate', { type: 'checkbox' })}
      />
    </FormDialog>
  )
}
