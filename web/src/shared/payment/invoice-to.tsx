import type { BillingDetails } from '@isotherm/contract/billing.ts'
import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** The name on the invoice, and a way to change it. */
export function InvoiceTo({ details, onChange }: { details: BillingDetails; onChange: () => void }) {
  const { t } = useTranslation('wallet')
  return (
    <div>
      <Text size="sm">
        {t('buy.invoiceTo')} <b>{details.name}</b>
      </Text>
      <Anchor component="button" type="button" size="sm" onClick={onChange}>
        {t('buy.change')}
      </Anchor>
    </div>
  )
}
