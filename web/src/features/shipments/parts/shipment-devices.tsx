import type { ShipmentDetails } from '@isotherm/contract/shipments.ts'
import { Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { formatTime } from '../../../lib/times.ts'
import frames from '../../../ui/frames.module.css'
import { AnchorLink } from '../../../ui/links.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { DevicesNow } from './shipment-state.tsx'
import classes from './shipments.module.css'

/** The devices with a shipment, each at its place. */
export function ShipmentDevices({ shipment }: { shipment: ShipmentDetails }) {
  const { t } = useTranslation('shipments')
  const seesDevices = useCan('devices.view')
  return (
    <Panel title={t('fields.devices')}>
      <DevicesNow shipment={shipment} />
      {shipment.devices.length === 0 && <Text size="sm">{t('devicesTab.none')}</Text>}
      {shipment.devices.length > 0 && (
        <div className={classes.scroll}>
          <Table aria-label={t('fields.devices')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('conditions.device')}</Table.Th>
                <Table.Th>IMEI</Table.Th>
                <Table.Th>{t('place.label')}</Table.Th>
                <Table.Th>{t('fields.palletRef')}</Table.Th>
                <Table.Th>SSCC</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shipment.devices.map(({ id, name, imei, place, palletRef, sscc, ssccUnchecked, joinedAt, leftAt }) => (
                <Table.Tr key={id}>
                  <Table.Td className={classes.device}>
                    {seesDevices ? (
                      <AnchorLink to="/devices/$deviceId" params={{ deviceId: id }} underline="always">
                        {name}
                      </AnchorLink>
                    ) : (
                      name
                    )}
                    {joinedAt && (
                      <div className={frames.note}>{t('devicesTab.joined', { time: formatTime(joinedAt) })}</div>
                    )}
                    {leftAt && <div className={frames.note}>{t('devicesTab.left', { time: formatTime(leftAt) })}</div>}
                  </Table.Td>
                  <Table.Td>{imei ?? '–'}</Table.Td>
                  <Table.Td>{t(`place.${place}`)}</Table.Td>
                  <Table.Td>{palletRef ?? '–'}</Table.Td>
                  <Table.Td>{sscc && ssccUnchecked ? `${sscc} (${t('report.unchecked')})` : (sscc ?? '–')}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {shipment.hiddenDevices > 0 && <p className={frames.note}>{t('hidden', { count: shipment.hiddenDevices })}</p>}
    </Panel>
  )
}
