import { orderLife } from '@isotherm/contract/order-life.ts'
import type { Order } from '@isotherm/contract/orders.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useSession } from '../../../lib/session.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { showOrder } from '../refetch-order.ts'
import { AtField, atOf } from './at-field.tsx'
import { Fitness } from './fitness.tsx'

/** Starts an order, after a look at what speaks against it. */
export function StartDialog({ order, onClose }: { order: Pick<Order, 'id' | 'trackingCode'>; onClose: () => void }) {
  const { t } = useTranslation('orderLife')
  const zone = useSession((state) => state.timezone)
  const { id, trackingCode } = order
  const form = useEntityForm({
    initialValues: { at: '' },
    required: [],
    toBody: ({ at }) => atOf(at, zone),
    save: (body) => call(orderLife.start, { params: { id, trackingCode }, body }, { toastAll: true }),
    onSaved: (saved) => {
      toastSuccess(saved.state === 'new' ? t('start.waits') : t('start.done'))
      showOrder(saved)
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('start.title', { code: trackingCode })}
      form={form}
      submitLabel={t('start.action')}
      onClose={onClose}
    >
      <Fitness orderId={id} />
      <AtField form={form} />
    </FormDialog>
  )
}
