import { namesOfProducts, productsOf } from '@isotherm/contract/shipment-products.ts'
import type { ShipmentDetails, ShipmentEnd } from '@isotherm/contract/shipments.ts'
import { Anchor, Paper } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { countryName } from '../../../lib/country-name.ts'
import { formatNumber, withUnit } from '../../../lib/numbers.ts'
import { formatDate, formatTime } from '../../../lib/times.ts'
import shared from '../../../ui/facts.module.css'
import frames from '../../../ui/frames.module.css'
import links from '../../../ui/text-link.module.css'
import { Unbroken } from '../../../ui/unbroken.tsx'
import { useProductTexts } from '../use-product-texts.ts'
import { ShipmentCondition, ShipmentState } from './shipment-state.tsx'

/** The facts of a shipment. */
export function ShipmentFacts({ shipment }: { shipment: ShipmentDetails }) {
  const { t } = useTranslation('shipments')
  const seesRecords = useCan('devices.view')
  const { origin, destination, recordId, carryingMinC: minC, carryingMaxC: maxC } = shipment
  const texts = useProductTexts()
  const products = productsOf(shipment)
  const only = products.length === 1 ? products[0] : undefined
  const time = (at: string | null, zone: string) => at && formatTime(at, zone)
  const day = (date: string | null) => date && formatDate(`${date}T12:00:00Z`, 'UTC')
  const unbroken = (text: string | null) => text && <Unbroken text={text} />
  const place = ({ name, gln, glnUnchecked, companyName, address, country, personOfContact }: ShipmentEnd) => (
    <>
      {name}
      {[companyName, address, countryName(country), personOfContact].map(
        (text, at) =>
          text && (
            // biome-ignore lint/suspicious/noArrayIndexKey: their sequence is fixed
            <div key={at} className={frames.note}>
              {text}
            </div>
          ),
      )}
      {gln && (
        <div className={frames.note}>
          <Unbroken text={`GLN ${gln}`} />
          {glnUnchecked && ` (${t('report.unchecked')})`}
        </div>
      )}
    </>
  )
  const facts: [string, ReactNode][] = [
    ['state', <ShipmentState key="state" shipment={shipment} />],
    ['verdict', shipment.verdict && <ShipmentCondition key="verdict" verdict={shipment.verdict} />],
    ['logistics', t(`logistics.${shipment.logistics}`)],
    ['reference', unbroken(shipment.reference)],
    ['trackingNumber', unbroken(shipment.trackingNumber)],
    [only ? 'product' : 'products', namesOfProducts(products)],
    ['hsCode', only?.hsCode],
    ['gtin', only && texts.gtin(only)],
    ['quantity', only && texts.quantity(only)],
    ['pallets', shipment.pallets !== null && formatNumber(shipment.pallets)],
    ['grossWeight', shipment.grossWeightG !== null && withUnit(shipment.grossWeightG / 1000, 'kg')],
    ['incoterm', [shipment.incoterm, shipment.incotermPlace].filter(Boolean).join(' ')],
    ['origin', place(origin)],
    ['destination', place(destination)],
    [
      'partner',
      shipment.partner && (
        <>
          {shipment.partner.companyName}
          <div className={frames.note}>{shipment.partner.fullName}</div>
          <Anchor href={`mailto:${shipment.partner.email}`} size="sm">
            {shipment.partner.email}
          </Anchor>
        </>
      ),
    ],
    ['region', shipment.region],
    ['country', shipment.country && countryName(shipment.country)],
    ['personOfContact', shipment.personOfContact],
    ['setPoint', shipment.setPointC !== null && withUnit(shipment.setPointC, '°C')],
    ['limits', texts.range({ minC, maxC })],
    ['regimeCode', shipment.regimeCode],
    ['loadingOn', day(shipment.loadingOn)],
    ['departureOn', day(shipment.departureOn)],
    ['lot', unbroken(shipment.lot)],
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
