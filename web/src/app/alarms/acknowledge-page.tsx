import { alarms } from '@isotherm/contract/alarms.ts'
import type { LinkedTriggers } from '@isotherm/contract/triggers.ts'
import { Alert, Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { happenedIn } from '../../features/alarms/trigger-words.ts'
import { CheckedLink } from '../../features/auth/parts/checked-link.tsx'
import { GuestLayout } from '../../features/auth/parts/guest-layout.tsx'
import { useLinkToken } from '../../features/auth/use-link-token.ts'
import { call, deadLineMs } from '../../lib/call.ts'
import { isCallError } from '../../lib/call-error.ts'
import { useNow } from '../../lib/now.ts'
import { queryClient, useCall } from '../../lib/query.ts'
import { QueryProvider } from '../../lib/query-provider.tsx'
import classes from './alarms.module.css'

/** Asks once whether to acknowledge what a message told of. The button makes the call, not the visit: mail scanners open links. */
export const AcknowledgePage = () => (
  <QueryProvider>
    <Acknowledge />
  </QueryProvider>
)

function Acknowledge() {
  const { t } = useTranslation('alarms')
  const { token, forget } = useLinkToken()
  const [done, setDone] = useState<LinkedTriggers | null>(null)
  const check = useCall(
    alarms.checkLink,
    { body: { token } },
    { enabled: token !== '' && !done, staleTimeMs: Number.POSITIVE_INFINITY, isQuiet: true },
  )
  if (done && !token)
    return (
      <GuestLayout title={t('byLink.done')} lead={t('byLink.doneText', { name: done.fullname })}>
        <Stack>
          <What linked={done} />
          <ToAlarm id={done.triggers[0]?.id} />
        </Stack>
      </GuestLayout>
    )
  const onDone = (linked: LinkedTriggers) => {
    setDone(linked)
    forget()
    queryClient.removeQueries({ queryKey: [alarms.checkLink.path] })
  }
  return (
    <CheckedLink
      token={token}
      check={check}
      title={t('byLink.title')}
      stale={
        <Stack>
          <p className={classes.linkText}>{t('byLink.stale')}</p>
          <ToAlarm />
        </Stack>
      }
    >
      {(linked) => <Question key={token} token={token} linked={linked} onDone={onDone} />}
    </CheckedLink>
  )
}

interface QuestionProps {
  token: string
  linked: LinkedTriggers
  onDone: (linked: LinkedTriggers) => void
}

function Question({ token, linked, onDone }: QuestionProps) {
  const { t } = useTranslation('alarms')
  const [isWorking, setWorking] = useState(false)
  const [failure, setFailure] = useState<string>()
  const acknowledge = async () => {
    setWorking(true)
    setFailure(undefined)
    try {
      onDone(await call(alarms.acknowledgeByLink, { body: { token } }, { patienceMs: deadLineMs }))
    } catch (error) {
      setWorking(false)
      setFailure(isCallError(error) ? error.message : t('common:errors.unexpected'))
    }
  }
  if (!linked.triggers.some(({ canAcknowledge }) => canAcknowledge))
    return (
      <GuestLayout title={t('byLink.nothing')}>
        <Stack>
          <What linked={linked} />
          <ToAlarm id={linked.triggers[0]?.id} />
        </Stack>
      </GuestLayout>
    )
  return (
    <GuestLayout title={t('byLink.title')} lead={t('byLink.lead', { name: linked.fullname })}>
      <Stack>
        <What linked={linked} />
        {failure && <Alert color="red">{failure}</Alert>}
        <Button size="lg" fullWidth loading={isWorking} onClick={() => void acknowledge()} autoFocus>
          {t('actions.acknowledge')}
        </Button>
        <ToAlarm id={linked.triggers[0]?.id} />
      </Stack>
    </GuestLayout>
  )
}

function What({ linked }: { linked: LinkedTriggers }) {
  const { t } = useTranslation('triggers')
  const now = useNow()
  return (
    <ul className={classes.linkList}>
      {linked.triggers.map((trigger) => (
        <li key={trigger.id}>
          <b>{happenedIn(trigger, t, now)}</b>
          <span>
            {t(`severity.${trigger.severity}`)} · {trigger.alarmName}
            {trigger.acknowledgedBy && ` · ${t('acknowledgedBy', { name: trigger.acknowledgedBy.name })}`}
          </span>
        </li>
      ))}
    </ul>
  )
}

function ToAlarm({ id }: { id?: string | undefined }) {
  const { t } = useTranslation('alarms')
  return (
    <Button
      component="a"
      href={`/alarms/triggered-alarms${id ? `?trigger=${id}` : ''}`}
      variant="default"
      size="lg"
      fullWidth
    >
      {t('byLink.open')}
    </Button>
  )
}
