import { type EndpointWithSecret, type WebhookEndpoint, webhooks } from '@isotherm/contract/webhooks.ts'
import { Button } from '@mantine/core'
import {
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRepeat,
  IconSend,
  IconTrash,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { formatTime } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.ts'
import type { RowAction } from '../../../ui/list/column.ts'
import { RowMenu } from '../../../ui/list/row-menu.tsx'
import { StateDot } from '../../../ui/state-dot.tsx'
import { hostOf, moodOf, saysOf, toneOfMood } from '../endpoint-words.ts'
import { refetchWebhooks } from '../refetch.ts'
import { replayTo } from '../replay-to.ts'
import classes from './webhooks.module.css'

interface EndpointRowProps {
  endpoint: WebhookEndpoint
  onChange: () => void
  onReplay: () => void
  onSecret: (endpoint: EndpointWithSecret) => void
}

/** An endpoint: where it is, how it stands in words, and its acts. */
export function EndpointRow(props: EndpointRowProps) {
  const { endpoint } = props
  const { t } = useTranslation('webhooks')
  const actions = useActions(props)
  const mood = moodOf(endpoint)
  const { url, description, events, seesPrivate, waiting, oldSecretUntil } = endpoint
  const facts = [
    ...(description ? [description] : []),
    t('says.events', { count: events.length }),
    ...(seesPrivate ? [t('says.private')] : []),
  ]
  const says = [
    saysOf(t, endpoint),
    ...(waiting > 0 ? [t('says.waiting', { count: waiting })] : []),
    ...(oldSecretUntil ? [t('says.oldSecret', { time: formatTime(oldSecretUntil) })] : []),
  ]
  const test = async () => {
    await call(webhooks.test, { params: { id: endpoint.id } }, { toastAll: true })
    toastSuccess(t('done.tested'))
    void refetchWebhooks()
  }
  return (
    <li data-endpoint={endpoint.id}>
      <div className={classes.words}>
        <span className={classes.line}>
          <b className={classes.url} title={url}>
            {url}
          </b>
          <StateDot tone={toneOfMood[mood]} label={t(`state.${mood}`)} hollow={mood === 'off'} />
        </span>
        <span className={classes.small}>{facts.join(' · ')}</span>
        <span className={classes.says}>{says.join(' ')}</span>
      </div>
      <div className={classes.acts}>
        {mood === 'disabled' || mood === 'off' ? (
          <Button variant="default" size="sm" onClick={() => void switchTo(endpoint, 'on', t('done.changed'))}>
            {t('act.on')}
          </Button>
        ) : (
          <Button
            variant="default"
            size="sm"
            leftSection={<IconSend size={15} />}
            onClick={() => void test().catch(() => undefined)}
          >
            {t('act.test')}
          </Button>
        )}
        <RowMenu name={hostOf(url)} actions={actions} />
      </div>
    </li>
  )
}

const switchTo = (endpoint: WebhookEndpoint, state: 'on' | 'off', said: string): Promise<void> =>
  call(webhooks.change, { params: { id: endpoint.id }, body: { version: endpoint.version, state } }, { toastAll: true })
    .then(() => {
      toastSuccess(said)
      void refetchWebhooks()
    })
    .catch(() => void refetchWebhooks())

function useActions({ endpoint, onChange, onReplay, onSecret }: EndpointRowProps): RowAction[] {
  const { t } = useTranslation('webhooks')
  const host = hostOf(endpoint.url)
  const params = { id: endpoint.id }
  const rotate = () =>
    confirm({
      ...{ title: t('rotate.title', { host }), text: t('rotate.text'), action: t('rotate.submit') },
      run: async () => {
        onSecret(await call(webhooks.rotate, { params }))
        void refetchWebhooks()
      },
    })
  const remove = () =>
    confirm({
      ...{ title: t('remove.title', { host }), text: t('remove.text'), action: t('act.remove'), destructive: true },
      run: async () => {
        await call(webhooks.remove, { params })
        toastSuccess(t('done.removed'))
        void refetchWebhooks()
      },
    })
  const failed = () => void replayTo(t, endpoint.id, { what: 'failed' }).catch(() => undefined)
  const off = () => void switchTo(endpoint, 'off', t('done.changed'))
  const isOn = endpoint.state === 'on'
  return [
    { label: t('act.change'), icon: <IconPencil size={16} />, onClick: onChange },
    { label: t('act.rotate'), icon: <IconKey size={16} />, onClick: rotate },
    ...(isOn
      ? [
          { label: t('act.failed'), icon: <IconRepeat size={16} />, onClick: failed },
          { label: t('act.period'), icon: <IconPlayerPlay size={16} />, onClick: onReplay },
          { label: t('act.off'), icon: <IconPlayerPause size={16} />, onClick: off },
        ]
      : []),
    { label: t('act.remove'), icon: <IconTrash size={16} />, onClick: remove, destructive: true },
  ]
}
