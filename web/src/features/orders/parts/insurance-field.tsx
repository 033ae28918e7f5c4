import { insurances } from '@isotherm/contract/insurances.ts'
import type { OrderInsurance } from '@isotherm/contract/orders.ts'
import { Radio, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '../../../lib/money.ts'
import { named } from '../../../lib/named.ts'
import { useCall } from '../../../lib/query.ts'
import { Renewing } from '../../../ui/renewing.tsx'
import type { OrderFields } from './form-props.ts'

interface InsuranceFieldProps {
  fields: OrderFields
  /** Minor units, of all items. */
  worth: number
  currency: string | null
  /** The insurance of the order that changes. */
  insured: OrderInsurance | null
}

/** The plans that are offered for the goods' worth; an insurance that stands stays where none of them is chosen. */
export function InsuranceField({ fields, worth, currency, insured }: InsuranceFieldProps) {
  const { t } = useTranslation('orders')
  const answer = useCall(
    insurances.plans,
    { query: { productWorth: Math.max(1, worth), ...(currency && { currency }) } },
    { enabled: worth > 0, keepPrevious: true },
  )
  const offered = worth > 0 ? (answer.data ?? []) : []
  const standing = insured?.state === 'requested' || insured?.state === 'certified' ? insured : null
  const description =
    worth === 0 || currency === null
      ? t('form.insuranceWorth')
      : offered.length === 0 && answer.data
        ? t('form.noPlans')
        : t('form.insuranceHelp', { worth: formatMoney(worth, currency) })
  return (
    <Renewing isOld={answer.isPlaceholderData}>
      <Radio.Group label={t('form.insurance')} description={description} {...fields.getInputProps('insurancePlanId')}>
        <Stack gap="xs" mt="xs">
          <Radio
            value=""
            label={
              standing
                ? t('form.keepInsurance', {
                    name: `${standing.planName}, ${standing.insurer}`,
                    amount: formatMoney(standing.premium, standing.currency),
                  })
                : t('form.noInsurance')
            }
          />
          {offered.map((plan) => (
            <Radio
              key={plan.id}
              value={plan.id}
              label={named(`${plan.name}, ${plan.insurer}`, formatMoney(plan.premium, plan.currency))}
              description={plan.temperatureClause ?? plan.products ?? undefined}
            />
          ))}
        </Stack>
      </Radio.Group>
      {fields.errors.insurancePlanId && <Text c="red">{fields.errors.insurancePlanId}</Text>}
    </Renewing>
  )
}
