import type { Cadence } from '../../domain/billing-period.ts'
import { type Renewing, spreadMinutes, stepDue } from '../../domain/renewal-schedule.ts'
import type { SubscriptionRow } from './subscription-queries.ts'

/** A subscription as its schedule sees it; those of one company come at the same time. */
export const renewingOf = ({
  company_id: companyId,
  cadence,
  zone,
  period_end: periodEnd,
}: Pick<SubscriptionRow, 'company_id' | 'cadence' | 'zone' | 'period_end'>): Renewing => ({
  cadence: cadence as Cadence,
  zone,
  periodEnd,
  minute: (companyId * 97) % spreadMinutes,
})

/** The beginning of the schedule, of a subscription whose period has just been paid. */
export const scheduleFrom = (of: Parameters<typeof renewingOf>[0]) => ({
  dunning_step: 0,
  renewal_step: 0,
  next_action_at: stepDue(renewingOf(of), 0, of.period_end),
})
