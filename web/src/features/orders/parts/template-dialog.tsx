import { orders } from '@isotherm/contract/order-calls.ts'
import { orderTemplates } from '@isotherm/contract/order-templates.ts'
import type { Order } from '@isotherm/contract/orders.ts'
import { Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'

/** Keeps an order to begin from again. */
export function TemplateDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const { t } = useTranslation('orders')
  const form = useEntityForm({
    initialValues: { name: order.reference ?? order.receivers.first },
    required: ['name'],
    toBody: ({ name }) => ({ name }),
    save: async ({ name }) => {
      const pattern = await call(orders.repeat, { params: { id: order.id } })
      return call(orderTemplates.add, { body: { name, order: pattern } })
    },
    onSaved: () => {
      toastSuccess(t('template.kept'))
      void refetchCalls(orderTemplates.list)
      onClose()
    },
  })
  return (
    <FormDialog title={t('template.title')} form={form} submitLabel={t('common:actions.save')} onClose={onClose}>
      <TextInput label={t('template.name')} data-autofocus maxLength={80} {...form.fields.getInputProps('name')} />
      <Text size="sm" c="dimmed">
        {t('template.help')}
      </Text>
    </FormDialog>
  )
}
