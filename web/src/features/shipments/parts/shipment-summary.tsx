import { shipments } from '@isotherm/contract/shipment-calls.ts'
import { Paper, SimpleGrid, Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import frames from '../../../ui/frames.module.css'

/** How many shipments are under way, late, soon there, and without a device. */
export function ShipmentSummary() {
  const { t } = useTranslation('shipments')
  const { data } = useCall(shipments.summary, {}, { refetchMs: 60_000 })
  if (!data) return <Skeleton height={72} mb="sm" />
  const figures = {
    ongoing: data.byState.ongoing,
    late: data.late,
    arrivingSoon: data.arrivingSoon,
    unwatched: data.unwatched,
  }
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm" mb="sm" component="section" aria-label={t('summary.label')}>
      {Object.entries(figures).map(([name, value]) => (
        <Paper key={name} className={frames.panel}>
          <div className={frames.note}>{t(`summary.${name}` as 'summary.late')}</div>
          <b>{formatNumber(value)}</b>
        </Paper>
      ))}
    </SimpleGrid>
  )
}
