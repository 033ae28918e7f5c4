import { type OrderReceiver, Outcome } from '@isotherm/contract/orders.ts'
import { Select, Text, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/numbers.ts'
import { type TakenItem, TakenItems } from '../../../shared/hand-over/taken-items.tsx'
import type { EntityForm } from '../../../ui/form/use-entity-form.ts'

export interface TypedOutcome {
  outcome: Outcome
  reason: string
  /** One for each item of the receiver. */
  items: TakenItem[]
}
type Goods = OrderReceiver['items']

export const noOutcome = (goods: Goods): TypedOutcome => ({
  ...{ outcome: 'delivered', reason: '' },
  items: goods.map(() => ({ delivered: '', reason: '' })),
})

/** An outcome as a body has it. Of a part, the items are named of which somebody says how many were taken. */
export function outcomeOf({ outcome, reason, items }: TypedOutcome, goods: Goods) {
  const told = goods.flatMap(({ id, quantity }, at) => {
    const { delivered = '', reason: why = '' } = items[at] ?? {}
    if (delivered === '') return []
    const refusedReason = Number(delivered) < quantity ? why.trim() || null : null
    return [{ id, deliveredQuantity: Number(delivered), refusedReason }]
  })
  return {
    ...{ outcome, ...(reason ? { reason } : {}) },
    ...(outcome === 'partlyDelivered' && told.length > 0 ? { items: told } : {}),
  }
}

/** Fields that may not stay empty: whatever was not delivered has a reason. */
export const requiredOf = ({ outcome }: Pick<TypedOutcome, 'outcome'>, path = '') =>
  outcome === 'delivered' ? [] : [`${path}reason`]

interface OutcomeFieldsProps<V extends object> {
  form: EntityForm<V>
  /** Where they stand in the form: `outcomes.12.`, or nothing. */
  path?: string
  label: string
  value: TypedOutcome
  goods: Goods
}

/** The outcome of a stop; a reason, where they were not all delivered, and how many of each item where it was a part. */
export function OutcomeFields<V extends object>({ form, path = '', label, value, goods }: OutcomeFieldsProps<V>) {
  const { t } = useTranslation('orderLife')
  return (
    <>
      <Select
        label={label}
        allowDeselect={false}
        data={Outcome.options.map((outcome) => ({ value: outcome, label: t(`outcome.${outcome}`) }))}
        {...form.fields.getInputProps(`${path}outcome`)}
      />
      {value.outcome !== 'delivered' && (
        <Textarea
          label={t('reason')}
          autosize
          minRows={2}
          maxLength={500}
          {...form.fields.getInputProps(`${path}reason`)}
        />
      )}
      {value.outcome === 'partlyDelivered' && (
        <>
          <Text size="sm">{t('settle.items')}</Text>
          <TakenItems
            goods={goods}
            items={value.items}
            propsOf={(field) => form.fields.getInputProps(`${path}items.${field}`)}
            takenLabel={(quantity) => t('settle.taken', { quantity: formatNumber(quantity) })}
            reasonLabel={t('settle.itemReason')}
          />
        </>
      )}
    </>
  )
}
