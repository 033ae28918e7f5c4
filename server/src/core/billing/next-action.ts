import type { SubscriptionRow } from './subscription-queries.ts'

/** When a job looks at a subscription next, whose period has just been paid. */
export const nextActionAt = ({ period_end }: Pick<SubscriptionRow, 'period_end'>): Date => period_end
