import { BillingCadence } from '@isotherm/contract/billing.ts'
import { SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface CadenceSwitchProps {
  value: BillingCadence
  onChange: (value: BillingCadence) => void
}

export function CadenceSwitch({ value, onChange }: CadenceSwitchProps) {
  const { t } = useTranslation('subscription')
  return (
    <SegmentedControl
      value={value}
      onChange={(chosen) => onChange(BillingCadence.parse(chosen))}
      aria-label={t('plans.billing')}
      data={BillingCadence.options.map((each) => ({ value: each, label: t(`plans.cadence.${each}`) }))}
    />
  )
}
