import { endOfDay } from '@isotherm/contract/zone-times.ts'
import { useTranslation } from 'react-i18next'
import { noValue } from '../../../lib/numbers.ts'
import { formatDate, shownZone } from '../../../lib/times.ts'
import { StateDot } from '../../../ui/state-dot.tsx'

const soonMs = 30 * 86_400_000

/** The day on which a driving licence ends, with a mark when that is near or over. */
export function LicenceDay({ day }: { day: string | null }) {
  const { t } = useTranslation('drivers')
  if (day === null) return noValue
  const written = formatDate(`${day}T00:00:00Z`, 'UTC')
  const left = Date.parse(endOfDay(day, shownZone())) - Date.now()
  if (left > soonMs) return written
  return <StateDot tone="warning" label={left < 0 ? t('licenceOver', { day: written }) : written} />
}
