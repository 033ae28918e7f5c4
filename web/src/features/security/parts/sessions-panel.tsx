import { type LoginSession, security } from '@isotherm/contract/security.ts'
import { Button, Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { formatTime } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { Age } from '../../../ui/age.tsx'
import { confirm } from '../../../ui/confirm.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { ToneBadge } from '../../../ui/tone-badge.tsx'
import classes from './security.module.css'

/** Where the person is logged in; each session can be ended, and all the others at once. */
export function SessionsPanel() {
  const { t } = useTranslation('security')
  const answer = useCall(security.sessions, undefined, { refetchMs: 60_000 })
  const sessions = answer.data?.data
  const endOthers = () =>
    confirm({
      title: t('sessions.endOthersTitle'),
      text: t('sessions.endOthersText'),
      action: t('sessions.endOthers'),
      destructive: true,
      run: async () => {
        await call(security.endOtherSessions)
        toastSuccess(t('sessions.othersEnded'))
        await refetchCalls(security.sessions)
      },
    })
  return (
    <Panel title={t('sessions.title')} text={t('sessions.lead')}>
      {!sessions && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {!sessions && !answer.error && <Skeleton height={48} />}
      {sessions && (
        <ul className={classes.rows} aria-label={t('sessions.title')}>
          {sessions.map((session) => (
            <Row key={session.id} session={session} />
          ))}
        </ul>
      )}
      {sessions && sessions.length > 1 && (
        <Button mt="sm" variant="default" onClick={endOthers}>
          {t('sessions.endOthers')}
        </Button>
      )}
    </Panel>
  )
}

function Row({ session }: { session: LoginSession }) {
  const { t } = useTranslation('security')
  const { browser, system } = session
  const name =
    browser && system ? t('sessions.browserOn', { browser, system }) : (browser ?? system ?? t('sessions.unknown'))
  // Several may be of one browser.
  const which = `${name}, ${formatTime(session.startedAt)}`
  const end = () =>
    confirm({
      title: t('sessions.endTitle', { name: which }),
      text: t('sessions.endText'),
      action: t('sessions.end'),
      destructive: true,
      run: async () => {
        await call(security.endSession, { params: { id: session.id } })
        toastSuccess(t('sessions.ended'))
        await refetchCalls(security.sessions)
      },
    })
  return (
    <li>
      <div className={classes.words}>
        <b>{name}</b>
        <span className={classes.small}>
          {t(`sessions.methods.${session.method}`)} · {formatTime(session.startedAt)}
          {session.address && ` · ${session.address}`}
        </span>
        <span className={classes.small}>
          {t('sessions.lastSeen')} <Age at={session.lastSeenAt} />
        </span>
      </div>
      {session.isThis ? (
        <ToneBadge tone="ok">{t('sessions.this')}</ToneBadge>
      ) : (
        <Button variant="default" size="sm" onClick={end} aria-label={t('sessions.endOf', { name: which })}>
          {t('sessions.end')}
        </Button>
      )}
    </li>
  )
}
