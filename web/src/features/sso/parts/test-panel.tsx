import { type SsoConnection, type SsoTested, sso } from '@isotherm/contract/sso.ts'
import { Alert, Button, Group } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { formatTime } from '../../../lib/times.ts'
import { toastError } from '../../../lib/toast.ts'
import { leaveFor } from '../../../shared/sso/trip.ts'
import { Panel } from '../../../ui/panel.tsx'
import { StateDot } from '../../../ui/state-dot.tsx'

interface TestPanelProps {
  connection: SsoConnection | null
  /** There is a domain that a login can be judged by. */
  isReady: boolean
}

/** The third step: an Admin logs in at the issuer once, and sees what it says. */
export function TestPanel({ connection, isReady }: TestPanelProps) {
  const { t } = useTranslation('sso')
  const tested = useRouterState({ select: ({ location }) => location.state.ssoTested })
  const [isLeaving, setIsLeaving] = useState(false)
  const begin = async () => {
    setIsLeaving(true)
    const isOnTheWay = await call(sso.test).then(
      (started) =>
        leaveFor(started, { use: 'test', to: '/settings/security/sso' }) || toastError(t('common:errors.unexpected')),
      () => false,
    )
    if (isOnTheWay !== true) setIsLeaving(false)
  }
  return (
    <Panel title={t('test.title')} text={t('test.text')}>
      {tested && <Outcome tested={tested} />}
      <Group gap="md">
        <Button variant="default" disabled={!connection || !isReady} loading={isLeaving} onClick={() => void begin()}>
          {t('test.begin')}
        </Button>
        {connection?.testedAt ? (
          <StateDot tone="ok" label={t('test.testedAt', { at: formatTime(connection.testedAt) })} />
        ) : (
          <StateDot tone="none" hollow label={t(isReady && connection ? 'test.open' : 'test.early')} />
        )}
      </Group>
    </Panel>
  )
}

function Outcome({ tested: { reason, email, name } }: { tested: SsoTested }) {
  const { t } = useTranslation('sso')
  const who = [name, email].filter(Boolean).join(', ')
  return (
    <Alert
      color={reason ? 'red' : 'green'}
      variant="light"
      mb="sm"
      role="status"
      title={t(reason ? 'test.failed' : 'test.passed')}
    >
      {reason && `${t(`audit:reasons.${reason}`)}. `}
      {who && t('test.who', { who })}
    </Alert>
  )
}
