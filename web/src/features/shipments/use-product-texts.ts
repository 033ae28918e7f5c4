import type { FurtherProduct } from '@isotherm/contract/shipment-products.ts'
import { useTranslation } from 'react-i18next'
import { limitsText } from '../../lib/limits-text.ts'
import { formatNumber } from '../../lib/numbers.ts'

/** The numbers and amounts of products in the reader's language; null: nothing was written. */
export function useProductTexts() {
  const { t } = useTranslation('shipments')
  return {
    gtin: ({ gtin, gtinUnchecked }: FurtherProduct): string | null =>
      gtin && gtinUnchecked ? `${gtin} (${t('report.unchecked')})` : gtin,
    quantity: ({ quantity, quantityUnit }: FurtherProduct): string | null =>
      quantity === null || quantityUnit === null
        ? null
        : t(`quantity.${quantityUnit}` as 'quantity.carton', { count: quantity, number: formatNumber(quantity) }),
    range: ({ minC, maxC }: Pick<FurtherProduct, 'minC' | 'maxC'>): string | null =>
      minC === null && maxC === null ? null : limitsText(minC, maxC, '°C'),
  }
}
