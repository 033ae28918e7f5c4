import { type Sso, type SsoConnection, sso } from '@isotherm/contract/sso.ts'
import { Button, Skeleton, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { confirm } from '../../../ui/confirm.ts'
import { Failure } from '../../../ui/failure.tsx'
import { FormOf } from '../../../ui/form/form-of.tsx'
import frames from '../../../ui/frames.module.css'
import { OpenHere } from '../../../ui/open-here.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { SettingsPage } from '../../../ui/settings-page.tsx'
import { StateDot, type Tone } from '../../../ui/state-dot.tsx'
import { DomainList } from '../parts/domain-list.tsx'
import { IssuerForm } from '../parts/issuer-form.tsx'
import { PolicyForm } from '../parts/policy-form.tsx'
import { TestPanel } from '../parts/test-panel.tsx'

/** For Admins: single sign-on, step by step. */
export function SsoSettingsPage() {
  const answer = useCall(sso.read, undefined, { staleTimeMs: 0 })
  return (
    <SettingsPage width="text">
      {answer.data ? (
        <OpenHere row={sso.save}>
          <Steps settings={answer.data} />
        </OpenHere>
      ) : answer.error ? (
        <Failure error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <Skeleton height={420} />
      )}
    </SettingsPage>
  )
}

function Steps({ settings }: { settings: Sso }) {
  const { connection, domains } = settings
  const hasProved = domains.some(({ provedAt }) => provedAt !== null)
  return (
    <div className={frames.stack}>
      <Summary settings={settings} next={nextOf(settings, hasProved)} />
      <FormOf thing={settings} version={issuerOf(connection)}>
        {(held) => <IssuerForm settings={held} />}
      </FormOf>
      <DomainList domains={domains} />
      <TestPanel connection={connection} isReady={hasProved} />
      <FormOf thing={settings} version={policyOf(settings)}>
        {(held) => held.connection && <PolicyForm settings={held} connection={held.connection} />}
      </FormOf>
      {connection && <Removal connection={connection} />}
    </div>
  )
}

// The values that each form begins with: a save of the other one leaves what is typed in it, which may then be saved, too.
const issuerOf = (connection: SsoConnection | null) => JSON.stringify([connection?.issuer, connection?.clientId])
const policyOf = ({ connection, breakGlassIds }: Sso) =>
  JSON.stringify([
    connection?.state,
    connection?.joinRole,
    connection?.sessionHours,
    connection?.asksFactor,
    connection && breakGlassIds,
  ])

type Next = 'issuer' | 'domain' | 'test' | 'on' | 'offered' | 'enforced'

/** The next step, or how it goes on where all are done. */
function nextOf({ connection }: Sso, hasProved: boolean): Next {
  if (!connection) return 'issuer'
  if (!hasProved) return 'domain'
  if (!connection.testedAt) return 'test'
  return connection.state === 'off' ? 'on' : connection.state
}

const tones: Record<SsoConnection['state'], Tone> = { off: 'none', offered: 'ok', enforced: 'ok' }

function Summary({ settings: { connection, linked }, next }: { settings: Sso; next: Next }) {
  const { t } = useTranslation('sso')
  const state = connection?.state ?? 'off'
  return (
    <Panel title={t('title')} text={t('lead')}>
      <StateDot tone={tones[state]} hollow={state === 'off'} label={t(`states.${state}`)} />
      <Text size="sm" mt="xs">
        {t(`next.${next}`)}
      </Text>
      {connection && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('linked', { count: linked })}
        </Text>
      )}
    </Panel>
  )
}

function Removal({ connection }: { connection: SsoConnection }) {
  const { t } = useTranslation('sso')
  const remove = () =>
    confirm({
      title: t('remove.title', { issuer: connection.issuer }),
      text: t('remove.text'),
      action: t('remove.action'),
      destructive: true,
      run: async () => {
        await call(sso.remove)
        await refetchCalls(sso.read)
      },
    })
  return (
    <Panel title={t('remove.heading')} text={t('remove.text')}>
      <Button variant="default" onClick={remove}>
        {t('remove.action')}
      </Button>
    </Panel>
  )
}
