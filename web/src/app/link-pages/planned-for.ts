import type { TrackedStop } from '@isotherm/contract/order-links.ts'
import { span, t, time } from './words.ts'

/** The window that was agreed. */
export function plannedFor({
  windowFrom,
  windowBy,
  timezone,
}: Pick<TrackedStop, 'windowFrom' | 'windowBy' | 'timezone'>): string | null {
  if (!windowBy) return null
  return windowFrom
    ? t('receiverPage:arrival.planned', { span: span(windowFrom, windowBy, timezone) })
    : t('receiverPage:arrival.plannedBy', { time: time(windowBy, timezone) })
}
