import { useTranslation } from 'react-i18next'
import { useNow } from '../../lib/now.ts'
import { useLiveState } from '../../lib/realtime.ts'
import classes from './shell.module.css'

/** Without a sign of life for this long, what is shown may be behind. */
const behindMs = 30_000

/** "Live", "42 s behind", "Reconnecting": how old what is on the screen may be. */
export function LiveIndicator() {
  const { t } = useTranslation('shell')
  const { status, lastSignAt } = useLiveState()
  const now = useNow()
  const behind = now - lastSignAt
  if (status === 'off') return null
  const late = status === 'live' && behind > behindMs
  const text = late ? t('live.behind', { seconds: Math.round(behind / 1000) }) : t(`live.${status}`)
  return (
    <span className={classes.live} role="status" data-state={late ? 'reconnecting' : status}>
      <span>{text}</span>
    </span>
  )
}
