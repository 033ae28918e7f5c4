import { notifications } from '@isotherm/contract/notifications.ts'
import { Switch } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { canBePushed, currentPush, startPush, stopPush } from '../push-browser.ts'

/** Pushes to this browser; not there where they are not configured, or the browser knows none. */
export function PushSwitch({ isWanted, onChange }: { isWanted: boolean; onChange: (isWanted: boolean) => void }) {
  const { t } = useTranslation('notifications')
  const { data } = useCall(notifications.pushKey)
  const [isHere, setHere] = useState(false)
  const [state, setState] = useState<'ready' | 'busy' | 'refused'>('ready')
  useEffect(() => {
    void currentPush().then((found) => setHere(found !== null))
  }, [])
  if (!data?.key || !canBePushed()) return null
  const { key } = data
  const change = async (wanted: boolean) => {
    setState('busy')
    try {
      if (!wanted) await stopPush()
      const isOn = wanted && (await startPush(key))
      setHere(isOn)
      setState(wanted && !isOn ? 'refused' : 'ready')
      // Other browsers of the person go on: only the first one turns it on.
      if (isOn && !isWanted) onChange(true)
    } catch {
      setState('refused')
    }
  }
  return (
    <Switch
      label={t('push')}
      description={t('pushHelp')}
      checked={isWanted && isHere}
      disabled={state === 'busy'}
      error={state === 'refused' ? t('pushRefused') : undefined}
      onChange={(event) => void change(event.currentTarget.checked)}
    />
  )
}
