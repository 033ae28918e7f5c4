import { security } from '@isotherm/contract/security.ts'
import { Button, Skeleton, Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import '../../ui/styles-app.ts'
import { GuestLayout } from '../../features/auth/parts/guest-layout.tsx'
import { CodesPanel } from '../../features/security/parts/codes-panel.tsx'
import { PasskeysPanel } from '../../features/security/parts/passkeys-panel.tsx'
import { RecoveryDialog } from '../../features/security/parts/recovery-dialog.tsx'
import { refreshProfile } from '../../lib/profile.ts'
import { useCall } from '../../lib/query.ts'
import { QueryProvider } from '../../lib/query-provider.tsx'
import { logOut } from '../../lib/session.ts'
import { Confirmations } from '../../ui/confirmations.tsx'
import { Failure } from '../../ui/failure.tsx'
import { ProofHost } from '../shell/proof-host.tsx'

/** The company asks for a second factor, and the person has none yet: they set one up here, and go on. */
export const EnrolPage = () => (
  <QueryProvider>
    <Enrolling />
    <Confirmations />
    <ProofHost />
  </QueryProvider>
)

function Enrolling() {
  const { t } = useTranslation('security')
  const navigate = useNavigate()
  const answer = useCall(security.own)
  const [codes, setCodes] = useState<string[] | null>(null)
  const own = answer.data
  const goOn = async () => {
    await refreshProfile()
    void navigate({ to: '/', replace: true })
  }
  const leave = () => {
    logOut()
    void navigate({ to: '/login', replace: true })
  }
  return (
    <GuestLayout title={t('enrol.title')} lead={t('enrol.lead')}>
      <Stack>
        {!own && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
        {!own && !answer.error && <Skeleton height={160} />}
        {own && <CodesPanel own={own} onCodes={setCodes} />}
        {own && !own.passkeysMissing && <PasskeysPanel own={own} onCodes={setCodes} />}
        <div>
          <Button variant="default" onClick={leave}>
            {t('enrol.leave')}
          </Button>
        </div>
      </Stack>
      {codes && <RecoveryDialog codes={codes} onKept={() => void goOn()} />}
    </GuestLayout>
  )
}
