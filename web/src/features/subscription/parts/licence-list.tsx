import { type Licence, subscription } from '@isotherm/contract/subscription.ts'
import { Skeleton, Text } from '@mantine/core'
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

function Row({ licence: { hint, source, plan, devices, startsAt, expiresAt, state } }: { licence: Licence }) {
  const { t } = useTranslation('subscription')
  const name = source === 'key' ? t('licences.key', { hint }) : t(`licences.sources.${source}`)
  return (
    <li>
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
    </li>
  )
}
