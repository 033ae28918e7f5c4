import { orderLife } from '@isotherm/contract/order-life.ts'
import type { Order } from '@isotherm/contract/orders.ts'
import { Text, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { showOrder } from '../refetch-order.ts'

type Cancelled = Pick<Order, 'id' | 'trackingCode' | 'state'>

/** Cancels an order; under way with a reason, and where its goods go. */
export function CancelDialog({ order, onClose }: { order: Cancelled; onClose: () => void }) {
  const { t } = useTranslation('orderLife')
  const isUnderWay = order.state === 'inProgress'
  const form = useEntityForm({
    initialValues: { reason: '', returnTo: '' },
    required: isUnderWay ? ['reason'] : [],
    toBody: ({ reason, returnTo }) => ({ ...(reason ? { reason } : {}), ...(returnTo ? { returnTo } : {}) }),
    save: (body) => call(orderLife.cancel, { params: { id: order.id }, body }, { toastAll: true }),
    onSaved: (saved) => {
      toastSuccess(t('cancel.done'))
      showOrder(saved)
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('cancel.title', { code: order.trackingCode })}
      form={form}
      submitLabel={t('cancel.action')}
      cancels
      onClose={onClose}
    >
      <Text size="sm">{isUnderWay ? t('cancel.underWay') : t('cancel.text')}</Text>
      <Textarea
        label={t('reason')}
        data-autofocus
        autosize
        minRows={2}
        maxLength={500}
        {...form.fields.getInputProps('reason')}
      />
      {isUnderWay && (
        <TextInput label={t('cancel.returnTo')} maxLength={300} {...form.fields.getInputProps('returnTo')} />
      )}
    </FormDialog>
  )
}
