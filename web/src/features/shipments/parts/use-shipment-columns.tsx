import type { Shipment } from '@isotherm/contract/shipments.ts'
import { showAwb } from '@isotherm/contract/unit-numbers.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { countryName } from '../../../lib/country-name.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { formatTime } from '../../../lib/times.ts'
import frames from '../../../ui/frames.module.css'
import type { Column } from '../../../ui/list/column.ts'
import { Unbroken } from '../../../ui/unbroken.tsx'
import { DevicesNow, ShipmentCondition, ShipmentState } from './shipment-state.tsx'

const namesOf = ({ product, furtherProducts }: Shipment) =>
  [product, ...furtherProducts.map((one) => one.product)].join(', ')

const Note = ({ children }: { children: ReactNode }) => children && <div className={frames.note}>{children}</div>

export function useShipmentColumns(): Column<Shipment>[] {
  const { t } = useTranslation('shipments')
  return [
    {
      key: 'number',
      title: t('columns.number'),
      sort: 'createdAt',
      render: ({ number, reference }) => (
        <>
          <Unbroken isName text={number} />
          <Note>{reference && <Unbroken text={reference} />}</Note>
        </>
      ),
    },
    { key: 'state', title: t('columns.state'), render: (shipment) => <ShipmentState shipment={shipment} /> },
    { key: 'product', title: t('columns.product'), sort: 'product', render: (shipment) => namesOf(shipment) },
    {
      key: 'route',
      title: t('columns.route'),
      sort: 'destination',
      render: ({ originName, originCountry, destinationName, destinationCountry }) => (
        <>
          {`${originName}, ${countryName(originCountry)}`}
          <Note>{`${destinationName}, ${countryName(destinationCountry)}`}</Note>
        </>
      ),
    },
    {
      key: 'carriage',
      title: t('columns.carriage'),
      hideBelow: 1100,
      isEmpty: ({ vesselName, flightNumber, mode, containerNo, awb }) =>
        !(vesselName ?? flightNumber ?? mode ?? containerNo ?? awb),
      render: ({ vesselName, flightNumber, mode, containerNo, awb }) => {
        const unit = containerNo ?? showAwb(awb)
        return (
          <>
            {vesselName ?? flightNumber ?? (mode ? t(`mode.${mode}`) : '–')}
            <Note>{unit && <Unbroken text={unit} />}</Note>
          </>
        )
      },
    },
    {
      key: 'eta',
      title: t('columns.eta'),
      sort: 'eta',
      hideBelow: 820,
      isEmpty: ({ eta, endedAt }) => eta === null && endedAt === null,
      // A shipment that is over is expected no more: its end is told instead.
      render: ({ eta, etaZone, endedAt }) => {
        const at = endedAt ?? eta
        return (
          <>
            {at ? formatTime(at, etaZone ?? undefined) : '–'}
            <Note>{endedAt && t('fields.ended')}</Note>
          </>
        )
      },
    },
    {
      key: 'condition',
      title: t('columns.condition'),
      isEmpty: ({ verdict }) => verdict === null,
      render: ({ verdict }) => <ShipmentCondition verdict={verdict} />,
    },
    {
      key: 'devices',
      title: t('columns.devices'),
      align: 'right',
      hideBelow: 1100,
      render: (shipment) => (
        <>
          {formatNumber(shipment.deviceCount)}
          <DevicesNow shipment={shipment} />
        </>
      ),
    },
  ]
}
