import type { Eta } from '@isotherm/contract/orders.ts'
import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../../lib/now.ts'
import { formatClock, formatDate, formatDuration, formatSpan, zoneName } from '../../../lib/times.ts'

interface ArrivalProps {
  eta: Eta
  /** The zone of the stop: the times are shown in it. */
  timezone: string
  /** Says what the estimate rests on, too. */
  hasBasis?: boolean
}

/** An expected arrival as an interval, in the zone of the stop; past its end it is expected any moment. */
export function Arrival({ eta, timezone, hasBasis = false }: ArrivalProps) {
  const { t } = useTranslation('orderTracking')
  const now = useNow()
  return (
    <>
      <Text component="span" size="sm" fw={600} display="block">
        {Date.parse(eta.to) <= now ? t('eta.anyMoment') : t('eta.between', spanOf(eta, timezone, now))}
      </Text>
      {hasBasis && <Basis eta={eta} now={now} />}
    </>
  )
}

function spanOf({ from, to }: Eta, zone: string, now: number) {
  const today = formatDate(now, zone)
  if (formatDate(from, zone) !== today || formatDate(to, zone) !== today) return formatSpan(from, to, zone)
  return { from: formatClock(from, zone), to: `${formatClock(to, zone)} ${zoneName(zone, Date.parse(to))}` }
}

/** The reasons for an estimate in words: what it was learned from, and how old the position is. */
function Basis({ eta, now }: { eta: Eta; now: number }) {
  const { t } = useTranslation('orderTracking')
  const ageMs = eta.positionAgeS === null ? null : eta.positionAgeS * 1000 + Math.max(0, now - Date.parse(eta.asOf))
  const age = ageMs === null ? null : formatDuration(Math.max(60_000, ageMs))
  return (
    <Text component="span" size="xs" c="dimmed" display="block">
      {eta.basis === 'history' ? t('eta.history', { count: eta.legs }) : t('eta.default')}{' '}
      {age === null ? t('eta.noPosition') : t(eta.isFrozen ? 'eta.frozen' : 'eta.position', { age })}
    </Text>
  )
}
