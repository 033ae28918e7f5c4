import { BillingCadence } from '@isotherm/contract/billing.ts'
import { Locale } from '@isotherm/contract/common.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { planName } from '../provider/default-plans.ts'
import type { PurchaseRow } from './payment-queries.ts'

/** The line that a payer reads at the provider's. */
export function describePurchase(
  {
    unit_kind: kind,
    units,
    plan_name: plan,
    cadence,
  }: Pick<PurchaseRow, 'unit_kind' | 'units' | 'plan_name' | 'cadence'>,
  locale: string,
): string {
  const language = Locale.parse(locale)
  if (plan && cadence)
    return translate(language, `wallet:planned.${BillingCadence.parse(cadence)}`, { plan: planName(language, plan) })
  if (!kind || !units) return 'Isotherm'
  return translate(language, `wallet:bought.${kind}`, {
    count: units,
    number: new Intl.NumberFormat(language).format(units),
  })
}
