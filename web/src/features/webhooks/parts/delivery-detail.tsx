import { type WebhookAttempt, type WebhookDeliveryDetail, webhooks } from '@isotherm/contract/webhooks.ts'
import { Button, CloseButton, Skeleton, Text, Title } from '@mantine/core'
import { IconRepeat } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCall } from '../../../lib/query.ts'
import { formatExactTime, formatTime } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { Failure } from '../../../ui/failure.tsx'
import { StateDot } from '../../../ui/state-dot.tsx'
import { refetchWebhooks } from '../refetch.ts'
import { toneOfState } from '../tones.ts'
import classes from './webhooks.module.css'

interface DeliveryDetailProps {
  id: string
  onClose: () => void
  /** Opens the message that another one was sent again as. */
  onOpen: (id: string) => void
}

/** A message beside its list: what was sent, each attempt with its answer, and the way to send it again. */
export function DeliveryDetail({ id, onClose, onOpen }: DeliveryDetailProps) {
  const { t } = useTranslation('webhooks')
  const answer = useCall(webhooks.delivery, { params: { id } }, { refetchMs: 3_000 })
  const section = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each message that is opened is brought into view, on a phone it stands below the list
  useEffect(() => {
    section.current?.scrollIntoView({ block: 'nearest' })
  }, [id])
  return (
    <section className={classes.detail} aria-label={answer.data?.type ?? t('log.title')} ref={section}>
      <div className={classes.detailHead}>
        <Title order={3} className={classes.type}>
          {answer.data?.type ?? ' '}
        </Title>
        <CloseButton aria-label={t('detail.close')} onClick={onClose} />
      </div>
      {!answer.data && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {!answer.data && !answer.error && <Skeleton height={240} />}
      {answer.data && <Detail delivery={answer.data} onOpen={onOpen} />}
    </section>
  )
}

function Detail({ delivery, onOpen }: { delivery: WebhookDeliveryDetail; onOpen: (id: string) => void }) {
  const { t } = useTranslation('webhooks')
  const { id, state, url, nextAt, body, attemptList } = delivery
  const resend = async () => {
    const again = await call(webhooks.resend, { params: { id } }, { toastAll: true })
    toastSuccess(t('detail.resent'))
    await refetchWebhooks()
    onOpen(again.id)
  }
  return (
    <>
      <div className={classes.line}>
        <StateDot tone={toneOfState[state]} label={t(`outcome.${state}`)} />
        {nextAt && <span className={classes.small}>{t('detail.next', { time: formatTime(nextAt) })}</span>}
      </div>
      <Text size="sm" className={classes.url}>
        {url}
      </Text>
      <Button
        variant="default"
        size="sm"
        leftSection={<IconRepeat size={15} />}
        onClick={() => void resend().catch(() => undefined)}
      >
        {t('detail.resend')}
      </Button>
      <h4>{t('detail.attempts')}</h4>
      {attemptList.length === 0 && <Text size="sm">{t('detail.none')}</Text>}
      <ol className={classes.attempts} reversed>
        {attemptList.toReversed().map((attempt) => (
          <Attempt key={attempt.n} attempt={attempt} />
        ))}
      </ol>
      <h4>{t('detail.body')}</h4>
      <pre className={classes.code}>{JSON.stringify(JSON.parse(body), null, 2)}</pre>
    </>
  )
}

function Attempt({ attempt }: { attempt: WebhookAttempt }) {
  const { t } = useTranslation('webhooks')
  const { n, at, tookMs, status, error, answer, headers } = attempt
  const isFine = status !== null && status >= 200 && status < 300
  const said = error ? t(`detail.error.${error}`) : answer || t('detail.empty')
  const sent = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <li>
      <div className={classes.line}>
        <StateDot tone={isFine ? 'ok' : 'warm'} label={status === null ? t('outcome.failed') : String(status)} />
        <span className={classes.small}>
          {t('detail.attempt', { n })} · {formatExactTime(at)} · {t('detail.took', { ms: tookMs })}
        </span>
      </div>
      <pre className={classes.code}>{said}</pre>
      {sent.length > 0 && (
        <details>
          <summary>{t('detail.headers')}</summary>
          <pre className={classes.code}>{sent.join('\n')}</pre>
        </details>
      )}
    </li>
  )
}
