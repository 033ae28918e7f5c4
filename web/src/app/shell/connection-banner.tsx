import { IconCloudOff } from '@tabler/icons-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { lastKnownTime, subscribeLastKnown } from '../../lib/last-known.ts'
import { useLiveState } from '../../lib/realtime.ts'
import { formatClock, formatDate, formatTime } from '../../lib/times.ts'
import classes from './connection.module.css'

/** A blink of the line is not worth a banner; values of a former visit are, if they stay for longer than an answer takes. */
const patienceMs = { lost: 4_000, lastKnown: 700 }

/** True once it has been true for so long. */
function useLasting(isTrue: boolean, forMs: number): boolean {
  const [lasts, setLasts] = useState(false)
  useEffect(() => {
    if (!isTrue) return setLasts(false)
    const timer = setTimeout(() => setLasts(true), forMs)
    return () => clearTimeout(timer)
  }, [isTrue, forMs])
  // As soon as it is over, and not a picture later: its time would be missing in the sentence.
  return isTrue && lasts
}

/**
 * Says that what is shown may be out of date, and since when: while the line is down, or until the server has answered. It has a
 * place of its own below the title in the top bar, so that nothing moves as it comes and goes.
 */
export function ConnectionBanner() {
  const { t } = useTranslation('shell')
  const { status, lastSignAt } = useLiveState()
  const knownAt = useSyncExternalStore(subscribeLastKnown, lastKnownTime)
  const isLost = useLasting(status === 'reconnecting', patienceMs.lost)
  const isOld = useLasting(knownAt !== null, patienceMs.lastKnown)
  if (!isLost && !isOld) return null
  const told = isOld ? (isLost ? 'noneSince' : 'lastKnown') : lastSignAt > 0 ? 'lostSince' : 'none'
  const time = isOld ? knownAt : formatTime(lastSignAt)
  return (
    <div className={classes.connection} role={isLost ? 'alert' : 'status'}>
      <IconCloudOff size={13} aria-hidden="true" />
      <span className={classes.sentence}>{t(`connection.${told}`, { time })}</span>
      <span className={classes.short} aria-hidden="true">
        {t(`connection.short.${told}`, { time: shortTime(lastSignAt) })}
      </span>
    </div>
  )
}

/** The clock of today, or else the day: a phone has room for one of them. */
const shortTime = (at: number) => (formatDate(at) === formatDate(Date.now()) ? formatClock(at) : formatDate(at))
