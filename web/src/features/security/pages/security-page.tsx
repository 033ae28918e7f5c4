import { security } from '@isotherm/contract/security.ts'
import { Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { useCall } from '../../../lib/query.ts'
import { formatTime } from '../../../lib/times.ts'
import { Failure } from '../../../ui/failure.tsx'
import { OpenHere } from '../../../ui/open-here.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { SettingsPage } from '../../../ui/settings-page.tsx'
import { TextLink } from '../../../ui/text-link.tsx'
import { CodesPanel } from '../parts/codes-panel.tsx'
import { PasskeysPanel } from '../parts/passkeys-panel.tsx'
import { RecoveryDialog } from '../parts/recovery-dialog.tsx'
import { RulesPanel } from '../parts/rules-panel.tsx'
import { SessionsPanel } from '../parts/sessions-panel.tsx'

export const SecurityPage = () => (
  <SettingsPage width="panels">
    <OpenHere row={security.startCodes}>
      <LoginSecurity />
    </OpenHere>
  </SettingsPage>
)

/** How a person's login is guarded, where they are logged in, and, for Admins, what the company asks of its people. */
function LoginSecurity() {
  const { t } = useTranslation('security')
  const isAdmin = useCan('admin')
  const answer = useCall(security.own)
  const [codes, setCodes] = useState<string[] | null>(null)
  const own = answer.data
  const isMissing = own && own.codesSince === null && own.passkeys.length === 0
  return (
    <>
      <Stack>
        {own?.neededFrom && isMissing && (
          <Text size="sm" fw={600}>
            {t('neededFrom', { time: formatTime(own.neededFrom) })}
          </Text>
        )}
        {!own && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
        {!own && !answer.error && <Skeleton height={160} />}
        {own && <CodesPanel own={own} onCodes={setCodes} />}
        {own && <PasskeysPanel own={own} onCodes={setCodes} />}
        <SessionsPanel />
        {isAdmin && <RulesPanel />}
        {isAdmin && (
          <Panel title={t('sso.title')} text={t('sso.text')}>
            <TextLink to="/settings/security/sso">{t('sso.open')}</TextLink>
          </Panel>
        )}
      </Stack>
      {codes && <RecoveryDialog codes={codes} onKept={() => setCodes(null)} />}
    </>
  )
}
