import { IconCloudOff } from '@tabler/icons-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { lastKnownTime, subscribeLastKnown } from '../../lib/last-known.ts'
import { useLiveState } from '../../lib/realtime.ts'
import { formatTime } from '../../lib/times.ts'
import classes from './shell.module.css'

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
  return lasts
}

/** Says that what is shown may be out of date, and since when: while the line is down, or until the server has answered. */
export function ConnectionBanner() {
  const { t } = useTranslation('shell')
  const { status, lastSignAt } = useLiveState()
  const knownAt = useSyncExternalStore(subscribeLastKnown, lastKnownTime)
  const isLost = useLasting(status === 'reconnecting', patienceMs.lost)
  const isOld = useLasting(knownAt !== null, patienceMs.lastKnown)
  if (!isLost && !isOld) return null
  return (
    <div className={classes.banner} role="alert">
      <IconCloudOff size={18} aria-hidden="true" />
      {isOld && knownAt
        ? t(isLost ? 'connection.noneSince' : 'connection.lastKnown', { time: knownAt })
        : lastSignAt > 0
          ? t('connection.lostSince', { time: formatTime(lastSignAt) })
          : t('connection.none')}
    </div>
  )
}
