import type { ShipmentDetails } from '@isotherm/contract/shipments.ts'
import { Paper } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { countryName } from '../../../lib/country-name.ts'
import { formatNumber, formatTemperature, withUnit } from '../../../lib/numbers.ts'
import { formatDate, formatTime } from '../../../lib/times.ts'
import shared from '../../../ui/facts.module.css'
import frames from '../../../ui/frames.module.css'
import links from '../../../ui/text-link.module.css'
import { ShipmentCondition, ShipmentState } from './shipment-state.tsx'

/** The facts of a shipment. */
export function ShipmentFacts({ shipment }: { shipment: ShipmentDetails }) {
  const { t } = useTranslation('shipments')
  const seesRecords = useCan('devices.view')
  const { origin, destination, recordId, minC, maxC } = shipment
  const time = (at: string | null, zone: string) => at && formatTime(at, zone)
  const day = (date: string | null) => date && formatDate(`${date}T12:00:00Z`, 'UTC')
  const facts: [string, ReactNode][] = [
    ['state', <ShipmentState key="state" shipment={shipment} />],
    ['verdict', shipment.verdict && <ShipmentCondition key="verdict" verdict={shipment.verdict} />],
    ['reference', shipment.reference],
    ['trackingNumber', shipment.trackingNumber],
    ['product', [shipment.product, shipment.variety].filter(Boolean).join(', ')],
    ['hsCode', shipment.hsCode],
    ['gtin', shipment.gtin && (shipment.gtinUnchecked ? `${shipment.gtin} (${t('report.unchecked')})` : shipment.gtin)],
    ['pallets', shipment.pallets !== null && formatNumber(shipment.pallets)],
    ['grossWeight', shipment.grossWeightG !== null && withUnit(shipment.grossWeightG / 1000, 'kg')],
    ['incoterm', [shipment.incoterm, shipment.incotermPlace].filter(Boolean).join(' ')],
    ['origin', origin.name],
    ['destination', destination.name],
    ['partner', shipment.partner?.companyName],
    ['region', shipment.region],
    ['country', shipment.country && countryName(shipment.country)],
    ['personOfContact', shipment.personOfContact],
    ['setPoint', shipment.setPointC !== null && formatTemperature(shipment.setPointC)],
    ['limits', (minC !== null || maxC !== null) && `${formatTemperature(minC)} – ${formatTemperature(maxC)}`],
    ['regimeCode', shipment.regimeCode],
    ['loadingOn', day(shipment.loadingOn)],
    ['departureOn', day(shipment.departureOn)],
    ['lot', shipment.lot],
    [
      'record',
      recordId && seesRecords && shipment.hiddenDevices === 0 && (
        <Link key="record" to="/records/$recordId" params={{ recordId }} className={links.link}>
          {t('fields.toRecord')}
        </Link>
      ),
    ],
    ['started', time(shipment.startedAt, origin.timezone)],
    ['ended', time(shipment.endedAt, destination.timezone)],
    ['cancelled', time(shipment.cancelledAt, origin.timezone)],
    ['reason', shipment.cancelReason],
    ['note', shipment.note],
    ['by', `${shipment.createdByName}, ${formatTime(shipment.createdAt)}`],
  ]
  return (
    <Paper component="section" className={frames.panel} aria-label={shipment.number}>
      <dl className={shared.facts} style={{ gridTemplateColumns: 'repeat(auto-fill, minmax(150px, 1fr))' }}>
        {facts.map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt>{t(`fields.${name}` as 'fields.state')}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      {shipment.hiddenDevices > 0 && <p className={frames.note}>{t('hidden', { count: shipment.hiddenDevices })}</p>}
    </Paper>
  )
}
