import { devices } from '@isotherm/contract/devices.ts'
import { limits } from '@isotherm/contract/limits.ts'
import { type DeviceSession, sessions } from '@isotherm/contract/sessions.ts'
import { Button, Paper, Stack, Text } from '@mantine/core'
import { IconPlayerStop } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PeriodView } from '../../features/devices/parts/period-view.tsx'
import { SessionMaker } from '../../features/sessions/parts/session-maker.tsx'
import { SessionState } from '../../features/sessions/parts/session-state.tsx'
import { useEndSession } from '../../features/sessions/use-session-actions.ts'
import { useCan } from '../../lib/can.ts'
import { useNow } from '../../lib/now.ts'
import { useCall } from '../../lib/query.ts'
import { formatDuration, formatTime } from '../../lib/times.ts'
import { useEntity } from '../../lib/use-entity.ts'
import { EntityPage } from '../../ui/entity-page.tsx'
import facts from '../../ui/facts.module.css'
import { Failure } from '../../ui/failure.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import classes from './session.module.css'

const longestMs = limits.maxPeriodDays * 86_400_000
/** An open session grows: its end is rounded up to this, so that answers stay cached while new readings come in. */
const slotMs = 300_000

/** One session: what the device measured in it, as its details show a period. */
export function SessionPage() {
  const { t } = useTranslation('sessions')
  const answer = useEntity(sessions.one, { id: 'sessionId' })
  const mayEdit = useCan(sessions.end)
  const end = useEndSession()
  const session = answer.entity
  return (
    <EntityPage
      answer={answer}
      title={session ? (session.name ?? t('history.title', { name: session.deviceName })) : t('title')}
      breadcrumb={<Link to="/devices/device-sessions">{t('title')}</Link>}
      actions={(session) =>
        mayEdit &&
        !session.endedAt && (
          <Button variant="default" leftSection={<IconPlayerStop size={16} />} onClick={() => end(session)}>
            {t('end.action')}
          </Button>
        )
      }
    >
      {(session) => <SessionHistory session={session} />}
    </EntityPage>
  )
}

function SessionHistory({ session }: { session: DeviceSession }) {
  const { t } = useTranslation('sessions')
  const now = useNow()
  const answer = useCall(devices.one, { params: { id: session.deviceId } }, { refetchMs: 60_000 })
  const began = Date.parse(session.startedAt)
  const to = session.endedAt ? Date.parse(session.endedAt) : Math.ceil(now / slotMs) * slotMs
  const from = Math.max(began, to - longestMs)
  // A session of one reading still has a width.
  const period = { from: new Date(from).toISOString(), to: new Date(Math.max(to, from + 60_000)).toISOString() }
  const device = answer.data
  const rows: [name: string, value: ReactNode][] = [
    [
      t('columns.device'),
      <AnchorLink key="device" to="/devices/$deviceId/details" params={{ deviceId: session.deviceId }}>
        {session.deviceName}
      </AnchorLink>,
    ],
    [t('columns.state'), <SessionState key="state" session={session} />],
    [t('columns.started'), formatTime(session.startedAt)],
    [t('columns.ended'), session.endedAt ? formatTime(session.endedAt) : t('isOpen')],
    [t('columns.duration'), formatDuration((session.endedAt ? to : now) - began)],
    [t('columns.by'), <SessionMaker key="by" session={session} />],
  ]
  return (
    <Stack gap="sm">
      <Paper className={classes.head}>
        <dl className={`${facts.facts} ${classes.facts}`}>
          {rows.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {from > began && (
          <Text size="sm" c="dimmed" mt="xs">
            {t('history.cut', { days: limits.maxPeriodDays })}
          </Text>
        )}
      </Paper>
      {device && (
        <PeriodView
          // Where it is now is no part of a session that is over.
          device={session.endedAt ? { ...device, position: null } : device}
          period={period}
          periodKey={session.id}
          canCompare={false}
        />
      )}
      {!device && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
    </Stack>
  )
}
