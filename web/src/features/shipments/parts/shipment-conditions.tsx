import { shipments } from '@isotherm/contract/shipment-calls.ts'
import type { ShipmentDetails } from '@isotherm/contract/shipments.ts'
import { Skeleton, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber, formatTemperature } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { formatDuration, formatTime } from '../../../lib/times.ts'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { Panel } from '../../../ui/panel.tsx'
import { useProductTexts } from '../use-product-texts.ts'
import classes from './shipments.module.css'

/** The measurements of the devices of a shipment: from the start to the end, and during each leg. */
export function ShipmentConditions({ shipment }: { shipment: ShipmentDetails }) {
  const { t } = useTranslation('shipments')
  const { range } = useProductTexts()
  const { data, error, refetch } = useCall(shipments.conditions, { params: { id: shipment.id } }, { refetchMs: 60_000 })
  const nameOf = (legId: string | null) => {
    const leg = shipment.legs.find(({ id }) => id === legId)
    return leg
      ? `${leg.sequence}. ${t(`mode.${leg.mode}`)} ${leg.vesselName ?? leg.flightNumber ?? ''}`.trim()
      : t('conditions.whole')
  }
  const wider = shipment.devices.filter(({ hasWiderLimits }) => hasWiderLimits)
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={200} />
  if (data.length === 0 || shipment.deviceCount === 0)
    return (
      <Panel title={t('conditions.title')}>
        <Text size="sm">{t(data.length === 0 ? 'conditions.before' : 'conditions.none')}</Text>
      </Panel>
    )
  return (
    <>
      {data.map(({ legId, from, to, devices }) => (
        <Panel key={legId ?? 'whole'} title={nameOf(legId)} text={`${formatTime(from)} – ${formatTime(to)}`}>
          <div className={classes.scroll}>
            <Table aria-label={nameOf(legId)}>
              <Table.Thead>
                <Table.Tr>
                  {(['device', 'place', 'readings', 'min', 'max', 'mean', 'outside'] as const).map((name) => (
                    <Table.Th key={name}>{t(`conditions.${name}`)}</Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {devices.map((device) => (
                  <Table.Tr key={device.id}>
                    <Table.Td>{device.name}</Table.Td>
                    <Table.Td>{t(`place.${device.place}`)}</Table.Td>
                    <Table.Td>{formatNumber(device.readings)}</Table.Td>
                    <Table.Td>{formatTemperature(device.minC, 2)}</Table.Td>
                    <Table.Td>{formatTemperature(device.maxC, 2)}</Table.Td>
                    <Table.Td>{formatTemperature(device.meanC, 2)}</Table.Td>
                    <Table.Td>{device.outsideMs > 0 ? <b>{formatDuration(device.outsideMs)}</b> : '–'}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </div>
        </Panel>
      ))}
      {wider.length > 0 && (
        <p className={frames.note}>
          {t('widerLimits', {
            range: range({ minC: shipment.carryingMinC, maxC: shipment.carryingMaxC }),
            names: wider.map(({ name }) => name).join(', '),
          })}
        </p>
      )}
    </>
  )
}
