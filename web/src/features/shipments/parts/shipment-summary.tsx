import { shipments } from '@isotherm/contract/shipment-calls.ts'
import { SimpleGrid, Skeleton, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import frames from '../../../ui/frames.module.css'
import type { ListParams } from '../../../ui/list/use-list-params.ts'
import classes from './shipments.module.css'

/** The choice of the list that leaves exactly the shipments which a figure counts. */
const choices = {
  ongoing: { filter: 'ongoing', attention: undefined },
  late: { filter: undefined, attention: 'late' },
  arrivingSoon: { filter: undefined, attention: 'arrivingSoon' },
  unwatched: { filter: undefined, attention: 'unwatched' },
} as const
const names = ['ongoing', 'late', 'arrivingSoon', 'unwatched'] as const

/** How many shipments are under way, late, soon there, and without a device: each figure shows them in the list below. */
export function ShipmentSummary({ params }: { params: ListParams }) {
  const { t } = useTranslation('shipments')
  const { data } = useCall(shipments.summary, {}, { refetchMs: 60_000 })
  if (!data) return <Skeleton height={72} mb="sm" />
  const { filter, attention } = params.filters
  const figures = { ...data, ongoing: data.byState.ongoing }
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm" mb="sm" component="section" aria-label={t('summary.label')}>
      {names.map((name) => {
        const choice = choices[name]
        const isChosen = !params.search && filter === choice.filter && attention === choice.attention
        return (
          <UnstyledButton
            key={name}
            className={`${frames.panel} ${classes.figure}`}
            aria-pressed={isChosen}
            onClick={() =>
              params.change({ search: '', filters: isChosen ? { filter: undefined, attention: undefined } : choice })
            }
          >
            <span className={frames.note}>{t(`summary.${name}`)}</span>
            <b>{formatNumber(figures[name])}</b>
          </UnstyledButton>
        )
      })}
    </SimpleGrid>
  )
}
