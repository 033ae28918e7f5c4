import { orderLife } from '@isotherm/contract/order-life.ts'
import { type OrderReceiver, orderLimits } from '@isotherm/contract/orders.ts'
import { instantOf, localDayOf, localTimeOf, plusDays } from '@isotherm/contract/zone-times.ts'
import { Text, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useSession } from '../../../lib/session.ts'
import { zoneNameAt } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { DateField } from '../../../ui/date-field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { showOrder } from '../refetch-order.ts'
import { AtField, atOf } from './at-field.tsx'
import { noOutcome, OutcomeFields, outcomeOf, requiredOf } from './outcome-fields.tsx'

interface StopDialogProps {
  orderId: string
  receiver: OrderReceiver
  onClose: () => void
}

const dayMs = 86_400_000

/** Puts a stop off until a time, at first the next morning. */
export function SnoozeDialog({ orderId, receiver, onClose }: StopDialogProps) {
  const { t } = useTranslation('orderLife')
  const zone = useSession((state) => state.timezone)
  const form = useEntityForm({
    initialValues: { until: `${plusDays(localDayOf(Date.now(), zone), 1)}T08:00`, reason: '' },
    required: ['until'],
    // A text that is no time is left out, and the field says that it is needed.
    toBody: ({ until, reason }) => ({ until: until ? instantOf(until, zone) : '', ...(reason ? { reason } : {}) }),
    save: (body) =>
      call(orderLife.snooze, { params: { id: orderId, receiverId: receiver.id }, body }, { toastAll: true }),
    onSaved: (saved) => {
      toastSuccess(t('snooze.done', { name: receiver.party.name }))
      showOrder(saved)
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('snooze.title', { name: receiver.party.name })}
      form={form}
      submitLabel={t('snooze.action')}
      onClose={onClose}
    >
      <Text size="sm">{t('snooze.means')}</Text>
      <DateField
        withTime
        label={t('snooze.until', { zone: zoneNameAt(form.fields.values.until, zone) })}
        min={localTimeOf(Date.now(), zone)}
        max={localTimeOf(Date.now() + orderLimits.snoozeDays * dayMs, zone)}
        {...form.fields.getInputProps('until')}
      />
      <Textarea label={t('reason')} autosize minRows={2} maxLength={500} {...form.fields.getInputProps('reason')} />
    </FormDialog>
  )
}

/** Says what became of the goods of a receiver, where nobody signed for them. */
export function OutcomeDialog({ orderId, receiver, onClose }: StopDialogProps) {
  const { t } = useTranslation('orderLife')
  const zone = useSession((state) => state.timezone)
  const form = useEntityForm({
    initialValues: { ...noOutcome(receiver.items), at: '' },
    required: requiredOf,
    toBody: ({ at, ...typed }) => ({ ...outcomeOf(typed, receiver.items), ...atOf(at, zone) }),
    save: (body) =>
      call(orderLife.settle, { params: { id: orderId, receiverId: receiver.id }, body }, { toastAll: true }),
    onSaved: (saved) => {
      toastSuccess(t('settle.done', { name: receiver.party.name }))
      showOrder(saved)
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('settle.title', { name: receiver.party.name })}
      form={form}
      submitLabel={t('common:actions.save')}
      onClose={onClose}
    >
      <OutcomeFields {...{ form, label: t('settle.outcome'), value: form.fields.getValues(), goods: receiver.items }} />
      <AtField form={form} />
    </FormDialog>
  )
}
