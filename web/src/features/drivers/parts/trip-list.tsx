import { drivers, type Trip } from '@isotherm/contract/drivers.ts'
import { Stack, Title } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { formatDuration, formatTime } from '../../../lib/times.ts'
import type { Column } from '../../../ui/list/column.ts'
import { ListView } from '../../../ui/list/list-view.tsx'
import { useListParams } from '../../../ui/list/use-list-params.ts'
import { StateDot } from '../../../ui/state-dot.tsx'

/** The orders that a driver drove, the newest first. */
export function TripList({ driverId }: { driverId: string }) {
  const { t } = useTranslation('drivers')
  const navigate = useNavigate()
  const params = useListParams()
  const { page, perPage } = params
  const sending = { params: { id: driverId }, query: { page, perPage } }
  const answer = useCall(drivers.orders, sending, { keepPrevious: true, refetchMs: 60_000 })
  const columns: Column<Trip>[] = [
    { key: 'order', title: t('trips.order'), render: ({ trackingCode }) => <b>{trackingCode}</b> },
    { key: 'date', title: t('trips.date'), isTime: true, render: ({ startedAt }) => formatTime(startedAt) },
    {
      key: 'timeSpent',
      title: t('trips.timeSpent'),
      align: 'right',
      render: ({ timeSpentS }) => formatDuration(timeSpentS * 1000),
    },
    { key: 'state', title: t('trips.state'), render: ({ state }) => t(`trips.states.${state}`) },
    {
      key: 'late',
      title: t('trips.late'),
      render: ({ isLate }) => isLate && <StateDot tone="warning" label={t('trips.late')} />,
    },
  ]
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {t('trips.title')}
      </Title>
      <ListView
        label={t('trips.title')}
        answer={answer}
        params={params}
        columns={columns}
        rowId={({ orderId }) => orderId}
        rowName={({ trackingCode }) => trackingCode}
        onOpen={({ orderId }) => void navigate({ href: `/dispatch/order/${orderId}` })}
        empty={{ title: t('trips.empty.title'), text: t('trips.empty.text') }}
      />
    </Stack>
  )
}
