import type { ShipmentDetails } from '@isotherm/contract/shipments.ts'
import { Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { formatTime } from '../../../lib/times.ts'
import shared from '../../../ui/facts.module.css'
import frames from '../../../ui/frames.module.css'
import { AnchorLink } from '../../../ui/links.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Sideways } from '../../../ui/sideways.tsx'
import { Unbroken } from '../../../ui/unbroken.tsx'
import { useNarrow } from '../../../ui/use-phone.ts'
import { DevicesNow } from './shipment-state.tsx'
import classes from './shipments.module.css'

type Device = ShipmentDetails['devices'][number]

/** The devices with a shipment, each at its place: a table, or one below the other where that is too wide. */
export function ShipmentDevices({ shipment }: { shipment: ShipmentDetails }) {
  const { t } = useTranslation('shipments')
  const isNarrow = useNarrow()
  const { devices } = shipment
  const columns: [title: string, of: (device: Device) => string | null][] = [
    ['IMEI', ({ imei }) => imei],
    [t('place.label'), ({ place }) => t(`place.${place}`)],
    [t('fields.palletRef'), ({ palletRef }) => palletRef],
    ['SSCC', ({ sscc, ssccUnchecked }) => (sscc && ssccUnchecked ? `${sscc} (${t('report.unchecked')})` : sscc)],
  ]
  return (
    <Panel title={t('fields.devices')}>
      <DevicesNow shipment={shipment} />
      {devices.length === 0 && <Text size="sm">{t('devicesTab.none')}</Text>}
      {devices.length > 0 && isNarrow && (
        <ul className={classes.milestones} aria-label={t('fields.devices')}>
          {devices.map((device) => (
            <li key={device.id}>
              <div className={classes.deviceFacts}>
                <DeviceName device={device} />
                <dl className={shared.facts}>
                  {columns.map(([title, of]) => {
                    const value = of(device)
                    return (
                      value && (
                        <div key={title}>
                          <dt>{title}</dt>
                          <dd>
                            <Unbroken text={value} />
                          </dd>
                        </div>
                      )
                    )
                  })}
                </dl>
              </div>
            </li>
          ))}
        </ul>
      )}
      {devices.length > 0 && !isNarrow && (
        <Sideways label={`${t('fields.devices')}, ${t('conditions.device')}`}>
          <Table aria-label={t('fields.devices')}>
            <Table.Thead>
              <Table.Tr>
                {[t('conditions.device'), ...columns.map(([title]) => title)].map((title) => (
                  <Table.Th key={title}>{title}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {devices.map((device) => (
                <Table.Tr key={device.id}>
                  <Table.Td className={classes.device}>
                    <DeviceName device={device} />
                  </Table.Td>
                  {columns.map(([title, of]) => (
                    <Table.Td key={title}>
                      <Unbroken text={of(device) ?? '–'} />
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Sideways>
      )}
      {shipment.hiddenDevices > 0 && <p className={frames.note}>{t('hidden', { count: shipment.hiddenDevices })}</p>}
    </Panel>
  )
}

/** The name of a device, with when it joined under way and when it was taken off. */
function DeviceName({ device: { id, name, joinedAt, leftAt } }: { device: Device }) {
  const { t } = useTranslation('shipments')
  return (
    <>
      {useCan('devices.view') ? (
        <AnchorLink to="/devices/$deviceId" params={{ deviceId: id }}>
          {name}
        </AnchorLink>
      ) : (
        name
      )}
      {joinedAt && <div className={frames.note}>{t('devicesTab.joined', { time: formatTime(joinedAt) })}</div>}
      {leftAt && <div className={frames.note}>{t('devicesTab.left', { time: formatTime(leftAt) })}</div>}
    </>
  )
}
