import { plans } from '@isotherm/contract/plans.ts'
import { type Licence, subscription } from '@isotherm/contract/subscription.ts'
import { Button, Skeleton, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { formatDate } from '../../../lib/times.ts'
import { Failure } from '../../../ui/failure.tsx'
import { PageButtons } from '../../../ui/list/page-buttons.tsx'
import classes from './subscription.module.css'

/** The licences that are not over, the first to end first. */
export function LicenceList() {
  const { t } = useTranslation('subscription')
  const [page, setPage] = useState(1)
  const answer = useCall(subscription.licences, { query: { page, perPage: 20 } })
  const { data } = answer
  if (!data)
    return answer.error ? (
      <Failure error={answer.error} onRetry={() => void answer.refetch()} />
    ) : (
      <Skeleton height={48} />
    )
  if (data.data.length === 0) return <Text size="sm">{t('licences.none')}</Text>
  return (
    <>
      <ul className={classes.licences} aria-label={t('licences.title')}>
        {data.data.map((licence) => (
          <Row key={licence.id} licence={licence} />
        ))}
      </ul>
      {data.meta.pageCount > 1 && <PageButtons page={page} pageCount={data.meta.pageCount} onTurn={setPage} />}
    </>
  )
}

function Row({ licence: { id, hint, source, plan, devices, startsAt, expiresAt, state } }: { licence: Licence }) {
  const { t } = useTranslation('subscription')
  const [isOpen, setIsOpen] = useState(false)
  const name = source === 'key' ? t('licences.key', { hint }) : t(`licences.sources.${source}`)
  return (
    <li data-row>
      <span className={classes.name}>
        {name}
        {plan && <span className={classes.plan}>{plan.name}</span>}
      </span>
      <span className={classes.figures}>{t('licences.places', { used: devices.used, count: devices.of })}</span>
      <span className={classes.dates}>
        {state === 'stock'
          ? t('licences.stock', { date: formatDate(startsAt) })
          : t('licences.until', { date: formatDate(expiresAt) })}
      </span>
      {devices.used > 0 && (
        <span className={classes.devices}>
          {isOpen ? (
            <DevicesOf licenceId={id} />
          ) : (
            <Button
              variant="default"
              size="compact-xs"
              aria-label={t('licences.showOf', { name })}
              onClick={() => setIsOpen(true)}
            >
              {t('licences.show')}
            </Button>
          )}
        </span>
      )}
    </li>
  )
}

/** The devices that have the places of a licence, as far as the person may see them. */
function DevicesOf({ licenceId }: { licenceId: string }) {
  const { t } = useTranslation('subscription')
  const answer = useCall(plans.licence, { body: { licenceId } })
  const { data } = answer
  if (!data)
    return answer.error ? (
      <Failure error={answer.error} onRetry={() => void answer.refetch()} />
    ) : (
      <Skeleton height={20} role="status" aria-label={t('common:list.loading')} />
    )
  const names = data.devicesOf.map(({ name }) => name).join(', ')
  return <span role="status">{names || t('licences.noneSeen')}</span>
}
