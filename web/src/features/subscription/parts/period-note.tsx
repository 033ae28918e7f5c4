import type { PeriodAhead } from '@isotherm/contract/plans.ts'
import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../../lib/times.ts'

interface PeriodNoteProps {
  period: PeriodAhead
  zone?: string
  /** Then it begins some days later. */
  byTransfer: boolean
}

/** Until when a period runs that is paid now, and which days without pay are a part of it. */
export function PeriodNote({ period: { from, until, unpaidDays }, zone, byTransfer }: PeriodNoteProps) {
  const { t } = useTranslation('subscription')
  const values = { count: unpaidDays, from: formatDate(from, zone) }
  const unpaid = t(byTransfer ? 'pay.unpaidTransfer' : 'pay.unpaid', values)
  if (byTransfer && unpaidDays === 0) return null
  return (
    <Text size="sm" {...(unpaidDays > 0 ? { fw: 550 } : {})}>
      {!byTransfer && t('pay.until', { date: formatDate(until, zone) })} {unpaidDays > 0 && unpaid}
    </Text>
  )
}
