import { IconCloudOff } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLiveState } from '../../lib/realtime.ts'
import { formatTime } from '../../lib/times.ts'
import classes from './shell.module.css'

/** A blink of the line is not worth a banner. */
const patienceMs = 4_000

/** Says that what is shown may be out of date, since when, for as long as the line is down. */
export function ConnectionBanner() {
  const { t } = useTranslation('shell')
  const { status, lastSignAt } = useLiveState()
  const down = status === 'reconnecting'
  const [shown, setShown] = useState(false)
  useEffect(() => {
    if (!down) return setShown(false)
    const timer = setTimeout(() => setShown(true), patienceMs)
    return () => clearTimeout(timer)
  }, [down])
  if (!shown) return null
  return (
    <div className={classes.banner} role="alert">
      <IconCloudOff size={18} aria-hidden="true" />
      {lastSignAt > 0 ? t('connection.lostSince', { time: formatTime(lastSignAt) }) : t('connection.none')}
    </div>
  )
}
