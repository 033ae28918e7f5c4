import { Button } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { formatTime } from '../../lib/times.ts'
import { useSandboxClock } from '../../shared/use-sandbox-clock.ts'
import { leave } from './leave.ts'
import classes from './shell.module.css'

/** Says on every screen of a sandbox's tab that it is one, and lets the person leave it. */
export function SandboxBanner() {
  const { t } = useTranslation('sandbox')
  const clock = useSandboxClock()
  return (
    <div className={classes.banner} role="status">
      <IconFlask size={18} aria-hidden="true" />
      <span className={classes.bannerText}>
        {t('banner.text')} {clock && t('banner.time', { time: formatTime(clock.now) })}
      </span>
      <Button size="compact-sm" variant="default" onClick={() => void leave()}>
        {t('banner.leave')}
      </Button>
    </div>
  )
}
