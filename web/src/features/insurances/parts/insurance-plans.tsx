import { insurances } from '@isotherm/contract/insurances.ts'
import { Radio, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '../../../lib/money.ts'
import { named } from '../../../lib/named.ts'
import { useCall } from '../../../lib/query.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Renewing } from '../../../ui/renewing.tsx'

interface InsurancePlansProps {
  /** The worth of all goods, minor units. */
  worth: number
  currency: string | null
  /** The id of the chosen plan; null: none. */
  value: string | null
  onChange: (planId: string | null) => void
  /** Whether none may be chosen. */
  isOptional?: boolean
}

/** The insurance plans for goods of a worth, with their premiums, to choose one of. */
export function InsurancePlans({ worth, currency, value, onChange, isOptional = false }: InsurancePlansProps) {
  const { t } = useTranslation('insurances')
  const query = { productWorth: worth, ...(currency && { currency }) }
  const answer = useCall(insurances.plans, { query }, { enabled: worth > 0, keepPrevious: true })
  if (worth <= 0) return <Text size="sm">{t('noWorth')}</Text>
  if (answer.error) return <Failure error={answer.error} onRetry={() => void answer.refetch()} />
  const plans = answer.data ?? []
  if (answer.data && plans.length === 0 && !isOptional) return <Text size="sm">{t('noPlans')}</Text>
  return (
    <Renewing isOld={answer.isPlaceholderData}>
      <Radio.Group label={t('choose')} value={value ?? ''} onChange={(id) => onChange(id || null)}>
        <Stack gap="sm" mt="xs">
          {isOptional && <Radio value="" label={t('without')} />}
          {plans.map((plan) => (
            <Radio
              key={plan.id}
              value={plan.id}
              label={named(`${plan.name}, ${plan.insurer}`, formatMoney(plan.premium, plan.currency))}
              description={[
                plan.products,
                plan.temperatureClause,
                plan.deductible > 0 && t('deductible', { amount: formatMoney(plan.deductible, plan.currency) }),
                plan.leadHours > 0 && t('lead', { count: plan.leadHours }),
              ]
                .filter(Boolean)
                .join(' · ')}
            />
          ))}
        </Stack>
      </Radio.Group>
    </Renewing>
  )
}
