import type { Reading } from '@isotherm/contract/device-history.ts'
import { orderTracking } from '@isotherm/contract/order-tracking.ts'
import type { OrderDetails } from '@isotherm/contract/orders.ts'
import { Button, Group, Paper, Select, Skeleton, Table, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createCursor, useCursor } from '../../../charts/cursor.ts'
import { LazyTimeChart } from '../../../charts/lazy-time-chart.tsx'
import { formatNumber, percentDecimals, temperatureDecimals } from '../../../lib/numbers.ts'
import { useCompany } from '../../../lib/profile.ts'
import { useCall } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { formatExactMoment, zoneOfMany } from '../../../lib/times.ts'
import { IsothermMap } from '../../../map/isotherm-map.tsx'
import { panelsOf } from '../../../shared/device-past/chart-panels.ts'
import { pathOf } from '../../../shared/device-past/path-points.ts'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { Renewing } from '../../../ui/renewing.tsx'
import { Value } from '../../../ui/value.tsx'
import { nameOf } from '../device-name.ts'
import classes from './tracking.module.css'

const perPage = 10
const points = 1000

/** The chart, the path and the readings of one of an order's devices while the order was under way. */
export function OrderPast({ order }: { order: OrderDetails }) {
  const { t } = useTranslation('orderTracking')
  const isRunning = order.state === 'inProgress'
  const tracking = useCall(orderTracking.live, { params: { id: order.id } }, { enabled: isRunning, isQuiet: true })
  const phones = (tracking.data?.devices ?? []).filter(({ kind }) => kind === 'phone')
  const devices = [...order.devices, ...phones.map((phone) => ({ id: phone.id, name: nameOf(phone, t) }))]
  const [chosen, setChosen] = useState<string>()
  const deviceId = devices.find(({ id }) => id === chosen)?.id ?? devices[0]?.id
  if (deviceId === undefined)
    return (
      <Paper className={frames.panel}>
        <Text size="sm">{t(order.hiddenDevices > 0 ? 'past.hidden' : 'past.none')}</Text>
      </Paper>
    )
  const isPhone = phones.some(({ id }) => id === deviceId)
  return (
    <Paper className={frames.panel} component="section" aria-label={t('past.title')}>
      <Group justify="space-between" align="end" mb="sm">
        <h2>{t('past.title')}</h2>
        {devices.length > 1 && (
          <Select
            size="xs"
            label={t('past.device')}
            allowDeselect={false}
            data={devices.map(({ id, name }) => ({ value: id, label: name }))}
            value={deviceId}
            onChange={(id) => id && setChosen(id)}
          />
        )}
      </Group>
      <Drawn key={deviceId} orderId={order.id} deviceId={deviceId} isRunning={isRunning} isPhone={isPhone} />
      {!isPhone && (
        <Readings key={`readings ${deviceId}`} orderId={order.id} deviceId={deviceId} isRunning={isRunning} />
      )}
    </Paper>
  )
}

interface PastProps {
  orderId: string
  deviceId: string
  isRunning: boolean
}

/** A phone measures nothing: it has a path only. */
function Drawn({ orderId, deviceId, isRunning, isPhone }: PastProps & { isPhone: boolean }) {
  const { t } = useTranslation('orderTracking')
  const zone = useSession((state) => state.timezone)
  const mapType = useCompany()?.mapType
  const [cursor] = useState(createCursor)
  const cursorAt = useCursor(cursor)
  const query = { orderId, deviceId, points }
  const options = isRunning ? { refetchMs: 60_000 } : {}
  const chart = useCall(orderTracking.historyChart, { query }, { ...options, enabled: !isPhone })
  const way = useCall(orderTracking.historyMapPoints, { query }, options)
  const words = useMemo(
    () => ({
      ...{ temperature: t('past.temperature'), humidity: t('past.humidity') },
      ...{ battery: t('past.battery'), light: t('past.light') },
    }),
    [t],
  )
  const panels = useMemo(
    () => (chart.data?.chart ? panelsOf(chart.data.chart, words, { battery: false, light: false }) : null),
    [chart.data, words],
  )
  const path = useMemo(() => (way.data?.path ? pathOf(way.data.path) : null), [way.data])
  const failed = chart.error ?? way.error
  return (
    <>
      {failed && <Failure error={failed} onRetry={() => void Promise.all([chart.refetch(), way.refetch()])} />}
      {panels && chart.data ? (
        <LazyTimeChart
          panels={panels}
          from={Date.parse(chart.data.from)}
          to={Math.max(Date.parse(chart.data.to), Date.parse(chart.data.from) + 60_000)}
          zone={zone}
          cursor={cursor}
          height={280}
        />
      ) : (
        !failed && !isPhone && <Skeleton height={308} radius="sm" />
      )}
      {isPhone && path?.points.length === 0 && <Text size="sm">{t('phone.none')}</Text>}
      {path && path.points.length > 0 && (
        <div className={classes.way}>
          <IsothermMap
            label={t('past.way')}
            height={280}
            path={path}
            fitTo="path"
            mapType={mapType}
            cursorAt={cursorAt}
            onCursorAt={cursor.set}
            cooperative
          />
        </div>
      )}
    </>
  )
}

function Readings({ orderId, deviceId, isRunning }: PastProps) {
  const { t } = useTranslation('orderTracking')
  const zone = useSession((state) => state.timezone)
  const [page, setPage] = useState(1)
  const answer = useCall(
    orderTracking.history,
    { query: { orderId, deviceId, page, perPage } },
    { keepPrevious: true, ...(isRunning ? { refetchMs: 60_000 } : {}) },
  )
  if (!answer.data)
    return answer.error ? (
      <Failure error={answer.error} onRetry={() => void answer.refetch()} />
    ) : (
      <Skeleton height={200} />
    )
  const { data, meta } = answer.data
  if (meta.total === 0) return <Text size="sm">{t('past.noReadings')}</Text>
  return (
    <Renewing isOld={answer.isPlaceholderData} className={classes.readings ?? ''}>
      <Table aria-label={t('past.readings')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              {t('past.time')} ({zoneOfMany(zone)})
            </Table.Th>
            <Table.Th>{t('past.temperature')}</Table.Th>
            <Table.Th>{t('past.humidity')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.map((reading) => (
            <ReadingRow key={reading.at} reading={reading} zone={zone} />
          ))}
        </Table.Tbody>
      </Table>
      {meta.pageCount > 1 && (
        <Group gap="xs" mt="xs">
          <Button size="xs" variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
            {t('past.newer')}
          </Button>
          <Text size="xs">{t('past.page', { page: formatNumber(page), pages: formatNumber(meta.pageCount) })}</Text>
          <Button size="xs" variant="default" disabled={page === meta.pageCount} onClick={() => setPage(page + 1)}>
            {t('past.older')}
          </Button>
        </Group>
      )}
    </Renewing>
  )
}

const tones = { above: 'warm', below: 'cold', inRange: undefined } as const

const ReadingRow = ({ reading, zone }: { reading: Reading; zone: string }) => (
  <Table.Tr>
    <Table.Td>{formatExactMoment(reading.at, zone)}</Table.Td>
    <Table.Td>
      <Value
        value={reading.temperatureC}
        unit="°C"
        decimals={reading.temperatureC === null ? 1 : temperatureDecimals(reading.temperatureC)}
        {...(reading.temperature && tones[reading.temperature] ? { tone: tones[reading.temperature] } : {})}
      />
    </Table.Td>
    <Table.Td>
      <Value
        value={reading.humidityPct}
        unit="%"
        decimals={reading.humidity && tones[reading.humidity] ? percentDecimals(reading.humidityPct ?? 0) : 0}
      />
    </Table.Td>
  </Table.Tr>
)
