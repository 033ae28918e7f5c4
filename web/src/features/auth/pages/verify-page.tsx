import { auth } from '@isotherm/contract/auth.ts'
import { Alert, Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { isCallError } from '../../../lib/call-error.ts'
import { ByMailPage } from '../parts/by-mail-page.tsx'
import { ToLogin } from '../parts/checked-link.tsx'
import { GuestLayout } from '../parts/guest-layout.tsx'
import { useLinkToken } from '../use-link-token.ts'

/** The button makes the call, not the visit: mail scanners open links. */
export function VerifyPage() {
  const { t } = useTranslation('auth')
  const { token, forget } = useLinkToken()
  const [done, setDone] = useState(false)
  if (done && !token)
    return (
      <GuestLayout title={t('verify.done')} lead={t('verify.doneText')}>
        <ToLogin />
      </GuestLayout>
    )
  if (!token) return <SendAgain />
  const onDone = () => {
    setDone(true)
    forget()
  }
  return <VerifyByLink key={token} token={token} onDone={onDone} />
}

function VerifyByLink({ token, onDone }: { token: string; onDone: () => void }) {
  const { t } = useTranslation('auth')
  const [state, setState] = useState<'idle' | 'working' | 'stale'>('idle')
  const [failure, setFailure] = useState<string>()
  const verify = async () => {
    setState('working')
    setFailure(undefined)
    try {
      await call(auth.verify, { body: { token } })
      onDone()
    } catch (error) {
      if (isCallError(error) && (error.code === 'LINK_INVALID' || error.status === 422)) return setState('stale')
      setState('idle')
      setFailure(isCallError(error) ? error.message : t('common:errors.unexpected'))
    }
  }
  if (state === 'stale') return <SendAgain />
  return (
    <GuestLayout title={t('verify.title')} lead={t('verify.lead')}>
      <Stack>
        {failure && <Alert color="red">{failure}</Alert>}
        <div>
          <Button loading={state === 'working'} onClick={() => void verify()} autoFocus>
            {t('verify.submit')}
          </Button>
        </div>
      </Stack>
    </GuestLayout>
  )
}

function SendAgain() {
  const { t } = useTranslation('auth')
  return (
    <ByMailPage
      title={t('link.staleTitle')}
      lead={t('verify.staleText')}
      submitLabel={t('verify.sendAgain')}
      sentLead={(email) => t('checkMail.verify', { email })}
      send={(body) => call(auth.resendVerification, { body })}
    >
      <ToLogin />
    </ByMailPage>
  )
}
