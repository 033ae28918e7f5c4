import { type EndpointWithSecret, maxEndpoints, type WebhookEndpoint, webhooks } from '@isotherm/contract/webhooks.ts'
import { Button, Paper, Skeleton, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { Empty } from '../../../ui/empty.tsx'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { EndpointDialog } from './endpoint-dialog.tsx'
import { EndpointRow } from './endpoint-row.tsx'
import { ReplayDialog } from './replay-dialog.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import classes from './webhooks.module.css'

type Dialog = 'add' | { change: WebhookEndpoint } | { secret: EndpointWithSecret } | { replay: WebhookEndpoint } | null

/** The servers that are told of events: how each stands, and what can be done with it. */
export function EndpointsPanel() {
  const { t } = useTranslation('webhooks')
  const [dialog, setDialog] = useState<Dialog>(null)
  const answer = useCall(webhooks.endpoints, undefined, { refetchMs: 10_000 })
  const list = answer.data?.data
  const close = () => setDialog(null)
  const showSecret = (secret: EndpointWithSecret) => setDialog({ secret })
  const isFull = list !== undefined && list.length >= maxEndpoints
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setDialog('add')} disabled={isFull}>
      {t('add')}
    </Button>
  )
  return (
    <Paper component="section" className={frames.panel} aria-label={t('endpoints')}>
      <div className={classes.head}>
        <div className={classes.words}>
          <h2>{t('endpoints')}</h2>
          <Text size="sm" c="dimmed">
            {isFull ? t('full', { limit: maxEndpoints }) : t('intro')}
          </Text>
        </div>
        {list && list.length > 0 && add}
      </div>
      {!list && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {!list && !answer.error && <Skeleton height={64} mt="sm" />}
      {list?.length === 0 && <Empty title={t('none')} text={t('noneHelp')} action={add} />}
      {list && list.length > 0 && (
        <ul className={classes.endpoints} aria-label={t('endpoints')}>
          {list.map((endpoint) => (
            <EndpointRow
              key={endpoint.id}
              endpoint={endpoint}
              onChange={() => setDialog({ change: endpoint })}
              onReplay={() => setDialog({ replay: endpoint })}
              onSecret={showSecret}
            />
          ))}
        </ul>
      )}
      {dialog === 'add' && <EndpointDialog endpoint={null} onMade={showSecret} onClose={close} />}
      {dialog !== null && dialog !== 'add' && 'change' in dialog && (
        <EndpointDialog endpoint={dialog.change} onMade={showSecret} onClose={close} />
      )}
      {dialog !== null && dialog !== 'add' && 'secret' in dialog && (
        <SecretDialog endpoint={dialog.secret} onClose={close} />
      )}
      {dialog !== null && dialog !== 'add' && 'replay' in dialog && (
        <ReplayDialog endpoint={dialog.replay} onClose={close} />
      )}
    </Paper>
  )
}
