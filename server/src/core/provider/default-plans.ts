import type { Locale } from '@isotherm/contract/common.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import type { NewPlan } from './plans.ts'

/** The plans that an operator may begin with. Their names are read in every language, as long as nobody gives them other ones. */
export const defaultPlans: readonly NewPlan[] = [
  { code: 'one-device', name: '1 device', devices: 1, users: 3, emails: 5, phones: 3, retention_months: 12 },
  { code: 'five-devices', name: '5 devices', devices: 5, users: 10, emails: 20, phones: 10, retention_months: 24 },
  { code: 'ten-devices', name: '10 devices', devices: 10, users: 20, emails: 40, phones: 20, retention_months: 36 },
]

/** The name of a plan as somebody reads it: that of a default plan in their language, any other as the operator wrote it. */
export function planName(locale: Locale, name: string): string {
  const plan = defaultPlans.find((one) => one.name === name)
  return plan ? translate(locale, 'subscription:plans.devices', { count: plan.devices, number: plan.devices }) : name
}
