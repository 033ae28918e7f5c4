import { orderLife } from '@isotherm/contract/order-life.ts'
import type { OrderDetails, OrderReceiver } from '@isotherm/contract/orders.ts'
import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useSession } from '../../../lib/session.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { showOrder } from '../refetch-order.ts'
import { isOpen } from '../stop-states.ts'
import { AtField, atOf } from './at-field.tsx'
import { noOutcome, OutcomeFields, outcomeOf, requiredOf, type TypedOutcome } from './outcome-fields.tsx'

type Ended = Pick<OrderDetails, 'id' | 'trackingCode' | 'receiverList'>

/** Ends an order, with an outcome for every receiver who has none. */
export function EndDialog({ order, onClose }: { order: Ended; onClose: () => void }) {
  const { t } = useTranslation('orderLife')
  const zone = useSession((state) => state.timezone)
  const { id, trackingCode } = order
  // As they stood when it was asked: where one is served meanwhile, the typed outcomes stay with their receivers.
  const [asked] = useState(() => order.receiverList.filter(isOpen))
  const isLeft = ({ id }: Pick<OrderReceiver, 'id'>) =>
    order.receiverList.some((receiver) => receiver.id === id && isOpen(receiver))
  const left = asked.filter(isLeft).length
  const form = useEntityForm({
    initialValues: { at: '', outcomes: asked.map(({ items }): TypedOutcome => noOutcome(items)) },
    required: ({ outcomes }) =>
      asked.flatMap((receiver, index) =>
        isLeft(receiver) ? requiredOf(outcomes[index] ?? noOutcome(receiver.items), `outcomes.${index}.`) : [],
      ),
    toBody: ({ at, outcomes }) => ({
      ...atOf(at, zone),
      outcomes: asked.flatMap((receiver, index) =>
        isLeft(receiver)
          ? [{ receiverId: receiver.id, ...outcomeOf(outcomes[index] ?? noOutcome(receiver.items), receiver.items) }]
          : [],
      ),
    }),
    save: (body) => call(orderLife.end, { params: { id, trackingCode }, body }, { toastAll: true }),
    onSaved: (saved) => {
      toastSuccess(saved.state === 'completed' ? t('end.done') : t('end.waits'))
      showOrder(saved)
      onClose()
    },
  })
  const { outcomes } = form.fields.getValues()
  return (
    <FormDialog
      title={t('end.title', { code: trackingCode })}
      form={form}
      submitLabel={t('end.action')}
      onClose={onClose}
    >
      <Text size="sm">{left > 0 ? t('end.open', { count: left }) : t('end.text')}</Text>
      {asked.map(
        (receiver, index) =>
          isLeft(receiver) && (
            <OutcomeFields
              key={receiver.id}
              form={form}
              path={`outcomes.${index}.`}
              label={receiver.party.name}
              value={outcomes[index] ?? noOutcome(receiver.items)}
              goods={receiver.items}
            />
          ),
      )}
      <AtField form={form} />
    </FormDialog>
  )
}
