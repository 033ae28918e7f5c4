import { eventNames } from '@isotherm/contract/webhook-events.ts'
import { DeliveryState, eventsKeptDays, type WebhookDelivery, webhooks } from '@isotherm/contract/webhooks.ts'
import { NativeSelect, Paper, Skeleton, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { Age } from '../../../ui/age.tsx'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { PageButtons } from '../../../ui/list/page-buttons.tsx'
import { Renewing } from '../../../ui/renewing.tsx'
import { StateDot } from '../../../ui/state-dot.tsx'
import { hostOf } from '../endpoint-words.ts'
import { toneOfState } from '../tones.ts'
import { DeliveryDetail } from './delivery-detail.tsx'
import classes from './webhooks.module.css'

/** Messages to all endpoints, newest first; one opens beside the list. */
export function DeliveriesPanel() {
  const { t } = useTranslation('webhooks')
  const [filter, setFilter] = useState({ endpointId: '', type: '', state: '' })
  const [page, setPage] = useState(1)
  const [open, setOpen] = useState<string | null>(null)
  const query = {
    ...{ page, perPage: 20 },
    ...(filter.endpointId && { endpointId: filter.endpointId }),
    ...(filter.type && { type: filter.type as WebhookDelivery['type'] }),
    ...(filter.state && { state: filter.state as DeliveryState }),
  }
  const answer = useCall(webhooks.deliveries, { query }, { keepPrevious: true, refetchMs: 3_000 })
  const { data, error } = answer
  const choose = (change: Partial<typeof filter>) => {
    setFilter({ ...filter, ...change })
    setPage(1)
  }
  const isFiltered = Object.values(filter).some(Boolean)
  return (
    <Paper component="section" className={frames.panel} aria-label={t('log.title')}>
      <h2>{t('log.title')}</h2>
      <Filters filter={filter} onChoose={choose} />
      {!data && error && <Failure error={error} onRetry={() => void answer.refetch()} />}
      {!data && !error && <Skeleton height={160} mt="sm" />}
      {data?.data.length === 0 && (
        <Text size="sm" mt="md">
          {isFiltered ? t('log.noneFiltered') : t('log.none', { days: eventsKeptDays })}
        </Text>
      )}
      {data && data.data.length > 0 && (
        <div className={classes.beside} data-open={open !== null || undefined}>
          <div>
            <Renewing isOld={answer.isPlaceholderData}>
              <ul className={classes.deliveries} aria-label={t('log.title')}>
                {data.data.map((delivery) => (
                  <Row
                    key={delivery.id}
                    delivery={delivery}
                    isOpen={delivery.id === open}
                    onOpen={() => setOpen(delivery.id)}
                  />
                ))}
              </ul>
            </Renewing>
            {data.meta.pageCount > 1 && <PageButtons page={page} pageCount={data.meta.pageCount} onTurn={setPage} />}
          </div>
          {open !== null && <DeliveryDetail id={open} onClose={() => setOpen(null)} onOpen={setOpen} />}
        </div>
      )}
    </Paper>
  )
}

interface FiltersProps {
  filter: Record<'endpointId' | 'type' | 'state', string>
  onChoose: (change: Partial<FiltersProps['filter']>) => void
}

function Filters({ filter, onChoose }: FiltersProps) {
  const { t } = useTranslation('webhooks')
  const endpoints = useCall(webhooks.endpoints).data?.data ?? []
  const all = { value: '', label: t('log.all') }
  const nameOf = (name: string) => `${t(`groups.${name.split('.')[0]}`)}: ${t(`events.${name}`)}`
  return (
    <div className={classes.filters}>
      <NativeSelect
        label={t('log.endpoint')}
        value={filter.endpointId}
        onChange={(event) => onChoose({ endpointId: event.currentTarget.value })}
        data={[all, ...endpoints.map(({ id, url }) => ({ value: id, label: hostOf(url) }))]}
      />
      <NativeSelect
        label={t('log.type')}
        value={filter.type}
        onChange={(event) => onChoose({ type: event.currentTarget.value })}
        data={[all, ...eventNames.map((name) => ({ value: name, label: nameOf(name) }))]}
      />
      <NativeSelect
        label={t('log.outcome')}
        value={filter.state}
        onChange={(event) => onChoose({ state: event.currentTarget.value })}
        data={[all, ...DeliveryState.options.map((state) => ({ value: state, label: t(`outcome.${state}`) }))]}
      />
    </div>
  )
}

interface RowProps {
  delivery: WebhookDelivery
  isOpen: boolean
  onOpen: () => void
}

function Row({ delivery, isOpen, onOpen }: RowProps) {
  const { t } = useTranslation('webhooks')
  const { type, state, attempts, status, url, createdAt, isReplay } = delivery
  const facts = [
    hostOf(url),
    ...(attempts > 0 ? [t('log.attempts', { count: attempts })] : []),
    ...(status !== null ? [String(status)] : []),
    ...(isReplay ? [t('log.again')] : []),
  ]
  return (
    <li>
      <button type="button" className={classes.delivery} aria-pressed={isOpen} onClick={onOpen}>
        <span className={classes.words}>
          <code className={classes.type}>{type}</code>
          <span className={classes.small}>{facts.join(' · ')}</span>
        </span>
        <span className={classes.end}>
          <StateDot tone={toneOfState[state]} label={t(`outcome.${state}`)} />
          <span className={classes.small}>
            <Age at={createdAt} isReal />
          </span>
        </span>
      </button>
    </li>
  )
}
