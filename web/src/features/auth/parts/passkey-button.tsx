import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

export interface PasskeyButtonProps {
  /** Hears that the person is in, and where they begin. */
  onEntered: (to: '/companyprofile' | '/' | '/enrol') => void
  /** The login that waits for it as its second step; left out: it is the whole login. */
  stepToken?: string | undefined
}

/** Logs in by a passkey, where the browser knows what that is. */
export function PasskeyButton({ onEntered, stepToken }: PasskeyButtonProps) {
  const { t } = useTranslation('auth')
  const [isRunning, setRunning] = useState(false)
  if (globalThis.PublicKeyCredential === undefined) return null
  const enter = async () => {
    setRunning(true)
    try {
      const { enterByPasskey, finishByPasskey } = await import('../passkey-log-in.ts')
      onEntered(await (stepToken === undefined ? enterByPasskey() : finishByPasskey(stepToken)))
    } catch {
      // The error rules have said it; who closed the browser's own dialog knows.
      setRunning(false)
    }
  }
  return (
    <Button variant="default" loading={isRunning} onClick={() => void enter()}>
      {t('login.passkey')}
    </Button>
  )
}
