import { Outcome } from '@isotherm/contract/orders.ts'
import { Select, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { EntityForm } from '../../../ui/form/use-entity-form.ts'

export interface TypedOutcome {
  outcome: Outcome
  reason: string
}
export const noOutcome: TypedOutcome = { outcome: 'delivered', reason: '' }

/** An outcome as a body has it. */
export const outcomeOf = ({ outcome, reason }: TypedOutcome) => ({ outcome, ...(reason ? { reason } : {}) })

/** Fields that may not stay empty: whatever was not delivered has a reason. */
export const requiredOf = ({ outcome }: TypedOutcome, path = '') => (outcome === 'delivered' ? [] : [`${path}reason`])

interface OutcomeFieldsProps<V extends object> {
  form: EntityForm<V>
  /** Where they stand in the form: `outcomes.12.`, or nothing. */
  path?: string
  label: string
  value: TypedOutcome
}

/** The outcome of a stop; a reason, where they were not all delivered. */
export function OutcomeFields<V extends object>({ form, path = '', label, value }: OutcomeFieldsProps<V>) {
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
    </>
  )
}
