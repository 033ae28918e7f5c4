import { z } from 'zod'
import { count, onOff } from './values.ts'

export const billingVariables = {
  BILLING: onOff.default(false),
  TRIAL_DAYS: count(0, 365).default(14),
  BILLING_DAILY_MAX: count(1, 1_000_000).default(500),
  RETENTION_DELETES: onOff.default(false),
  SUPPORT_EMAIL: z.email({ error: 'must be a mail address' }).optional(),
}

type Data = z.output<z.ZodObject<typeof billingVariables>>

/** Whether plans are sold: where they are not, nothing expires and no plan limits anything. */
export interface Billing {
  isOn: boolean
  /** The length of the one trial of each company; 0: none. */
  trialDays: number
}

export const billingOf = ({ BILLING, TRIAL_DAYS, BILLING_DAILY_MAX, RETENTION_DELETES, SUPPORT_EMAIL }: Data) => ({
  billing: { isOn: BILLING, trialDays: TRIAL_DAYS } satisfies Billing,
  /** Charges without a payer, of all companies on one day (UTC): more than that would be a mistake. */
  billingDailyMax: BILLING_DAILY_MAX,
  /** Whether readings older than their company's plan keeps are deleted, once that was announced twice; they never are without this. */
  retentionDeletes: RETENTION_DELETES,
  /** Where people turn to who want something of the operator; null: nobody says. */
  supportEmail: SUPPORT_EMAIL ?? null,
})
