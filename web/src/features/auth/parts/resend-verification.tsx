import { auth } from '@isotherm/contract/auth.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { isCallError } from '../../../lib/call-error.ts'

/** Sends the verification mail again; the answer is the same for every address. */
export function ResendVerification({ email }: { email: string }) {
  const { t } = useTranslation('auth')
  const [state, setState] = useState<'idle' | 'sending' | 'sent'>('idle')
  const [failure, setFailure] = useState<string>()
  const send = async () => {
    setState('sending')
    setFailure(undefined)
    try {
      await call(auth.resendVerification, { body: { email } })
      setState('sent')
    } catch (error) {
      setState('idle')
      setFailure(isCallError(error) ? error.message : t('common:errors.unexpected'))
    }
  }
  if (state === 'sent') return <p role="status">{t('verify.sentAgain')}</p>
  return (
    <div>
      <Button variant="default" loading={state === 'sending'} onClick={() => void send()}>
        {t('verify.sendAgain')}
      </Button>
      {failure && <p role="alert">{failure}</p>}
    </div>
  )
}
