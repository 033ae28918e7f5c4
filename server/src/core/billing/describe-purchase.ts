import { Locale } from '@isotherm/contract/common.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import type { PurchaseRow } from './payment-queries.ts'

/** The line that a payer reads at the provider's. */
export function describePurchase(
  { unit_kind: kind, units, plan_name: planName }: Pick<PurchaseRow, 'unit_kind' | 'units' | 'plan_name'>,
  locale: string,
): string {
  const language = Locale.parse(locale)
  if (!kind || !units) return planName ?? 'Isotherm'
  return translate(language, `wallet:bought.${kind}`, {
    count: units,
    number: new Intl.NumberFormat(language).format(units),
  })
}
