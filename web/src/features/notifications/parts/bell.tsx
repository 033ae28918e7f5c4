import { notifications } from '@isotherm/contract/notifications.ts'
import { UnstyledButton } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { useLiveState } from '../../../lib/realtime.ts'
import { bellSending } from '../live-notifications.ts'
import classes from './notifications.module.css'

const Centre = lazy(async () => ({ default: (await import('./centre.tsx')).Centre }))
const maxShown = 99

/** How many are unread; opens the notification centre, whose code is loaded when it is first asked for. */
export function Bell() {
  const { t } = useTranslation('notifications')
  const [asked, setAsked] = useState(false)
  const [open, setOpen] = useState(false)
  // The screen's own answers come first: the bell asks once the live stream is there, and for the rest after that.
  const { status } = useLiveState()
  const { data } = useCall(notifications.list, bellSending, { enabled: status !== 'connecting' })
  const unread = data?.unread ?? 0
  const wantsPush = useCall(notifications.settings, undefined, { enabled: data !== undefined }).data?.push === true
  useEffect(() => {
    if (wantsPush) void import('../push-browser.ts').then(({ renewPush }) => renewPush()).catch(() => undefined)
  }, [wantsPush])
  const label = unread > 0 ? `${t('bell')}, ${t('unread', { count: unread })}` : t('bell')
  return (
    <>
      <UnstyledButton
        className={`${classes.bell} touch-area`}
        aria-label={label}
        aria-haspopup="dialog"
        onClick={() => {
          setAsked(true)
          setOpen(true)
        }}
      >
        <IconBell size={18} aria-hidden="true" />
        {unread > 0 && (
          <span className={classes.badge} aria-hidden="true">
            {unread > maxShown ? `${maxShown}+` : unread}
          </span>
        )}
      </UnstyledButton>
      {asked && (
        <Suspense fallback={null}>
          <Centre opened={open} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
