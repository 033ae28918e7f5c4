import { Fieldset, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AmountInput } from '../../ui/amount-input.tsx'
import type { BudgetValues } from './budget-values.ts'

interface BudgetFieldsProps {
  values: BudgetValues
  onChange: (values: BudgetValues) => void
  /** By path, such as `budget.aboveC`. */
  errors: Record<string, ReactNode>
}

/** The fields of the stability budget; empty ones are not checked. */
export function BudgetFields({ values, onChange, errors }: BudgetFieldsProps) {
  const { t } = useTranslation('records')
  const number = (key: keyof BudgetValues, unit: string, path: string) => (
    <AmountInput
      style={{ flex: '1 1 120px' }}
      label={`${t(`budget.fields.${key}`)} (${unit})`}
      unit={unit}
      decimalScale={2}
      value={values[key]}
      onChange={(value) => onChange({ ...values, [key]: value })}
      error={errors[`budget.${path}`]}
      data-path={`budget.${path}`}
    />
  )
  return (
    <Fieldset legend={t('budget.title')}>
      <Stack gap="sm">
        <Text size="xs" c="dimmed">
          {t('budget.help')}
        </Text>
        <Group gap="sm" align="flex-end">
          {number('aboveC', '°C', 'aboveC')}
          {number('aboveHours', 'h', 'aboveMinutes')}
          {number('neverAboveC', '°C', 'neverAboveC')}
        </Group>
        <Group gap="sm" align="flex-end">
          {number('belowC', '°C', 'belowC')}
          {number('belowHours', 'h', 'belowMinutes')}
          {number('neverBelowC', '°C', 'neverBelowC')}
        </Group>
      </Stack>
    </Fieldset>
  )
}
