import { notifications } from '@isotherm/contract/notifications.ts'
import { Switch } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { pushSubscription } from '../../../lib/push-subscription.ts'
import { useCall } from '../../../lib/query.ts'
import { canBePushed, startPush, stopPush } from '../push-browser.ts'

/** Pushes to this browser; where there can be none the switch says why. */
export function PushSwitch({ isWanted, onChange }: { isWanted: boolean; onChange: (isWanted: boolean) => void }) {
  const { t } = useTranslation('notifications')
  const { data } = useCall(notifications.pushKey)
  const [isHere, setHere] = useState(false)
  const [state, setState] = useState<'ready' | 'busy' | 'refused' | 'failed'>('ready')
  useEffect(() => {
    void pushSubscription().then(
      (found) => setHere(found !== null),
      () => undefined,
    )
  }, [])
  if (!data) return null
  const { key } = data
  const change = async (wanted: boolean) => {
    setState('busy')
    try {
      if (!wanted) await stopPush()
      const isOn = wanted && key !== null && (await startPush(key))
      setHere(isOn)
      setState(wanted && !isOn ? 'refused' : 'ready')
      // Other browsers of the person go on: only the first one turns it on.
      if (isOn && !isWanted) onChange(true)
    } catch {
      setState('failed')
    }
  }
  const errors = { refused: t('pushRefused'), failed: t('pushFailed') }
  const why = key === null ? t('pushNotConfigured') : canBePushed() ? null : t('pushNotHere')
  return (
    <Switch
      label={t('push')}
      description={why ?? t('pushHelp')}
      checked={why === null && isWanted && isHere}
      disabled={why !== null || state === 'busy'}
      error={state === 'refused' || state === 'failed' ? errors[state] : undefined}
      onChange={(event) => void change(event.currentTarget.checked)}
    />
  )
}
