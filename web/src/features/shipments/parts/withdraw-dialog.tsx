import { MilestoneWithdrawal, shipments } from '@isotherm/contract/shipment-calls.ts'
import type { ShipmentDetails, ShipmentEvent } from '@isotherm/contract/shipments.ts'
import { Text, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { named } from '../../../lib/named.ts'
import { useRequestKey } from '../../../lib/request-keys.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { showShipment } from '../refetch-shipment.ts'
import { keptReasonOf } from '../use-withdrawn-words.ts'

interface WithdrawDialogProps {
  shipment: ShipmentDetails
  event: ShipmentEvent
  onClose: () => void
}

/** Withdraws a milestone that never happened, with the reason. */
export function WithdrawDialog({ shipment, event, onClose }: WithdrawDialogProps) {
  const { t } = useTranslation('shipments')
  const keyOf = useRequestKey()
  const form = useEntityForm({
    initialValues: { reason: '' },
    schema: MilestoneWithdrawal,
    toBody: ({ reason }) => ({ milestoneId: event.id, reason: reason.trim() }),
    save: (body) =>
      call(shipments.withdrawMilestone, { params: { id: shipment.id }, body }, { toastAll: true, key: keyOf(body) }),
    onSaved: (saved) => {
      const told = saved.events.find(({ corrects }) => corrects === event.id)
      const kept = told && keptReasonOf(told)
      const done = t('journey.withdrawnDone')
      toastSuccess(kept ? t('journey.withdrawnKept', { done, why: t(`events.kept.${kept}`) }) : done)
      showShipment(saved)
      onClose()
    },
  })
  return (
    <FormDialog
      title={named(t('journey.withdraw'), t(`event.${event.kind}`))}
      form={form}
      submitLabel={t('journey.withdraw')}
      destructive
      onClose={onClose}
    >
      <Text size="sm">{t('journey.withdrawText')}</Text>
      <Textarea
        label={t('fields.reason')}
        data-autofocus
        autosize
        minRows={2}
        maxLength={500}
        {...form.fields.getInputProps('reason')}
      />
    </FormDialog>
  )
}
