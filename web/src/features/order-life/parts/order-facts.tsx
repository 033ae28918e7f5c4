import type { OrderDetails, Party } from '@isotherm/contract/orders.ts'
import { Paper } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { formatTime } from '../../../lib/times.ts'
import shared from '../../../ui/facts.module.css'
import frames from '../../../ui/frames.module.css'
import links from '../../../ui/text-link.module.css'
import { Unbroken, WithUnbroken } from '../../../ui/unbroken.tsx'
import { CrewPencil } from './crew-pencil.tsx'
import { PartyReach } from './party-reach.tsx'

interface OrderFactsProps {
  order: OrderDetails
  /** Its state and its condition, as lists of orders show them. */
  state: ReactNode
  condition: ReactNode
}

function DriverOf({ order }: { order: OrderDetails }) {
  const { t } = useTranslation('orderLife')
  const { driver } = order
  const name = driver && (driver.isActive ? driver.name : t('driverInactive', { name: driver.name }))
  return (
    <>
      {name ?? t('crew.nobody')} <CrewPencil order={order} />
    </>
  )
}

const SenderOf = ({ sender }: { sender: Party }) => (
  <>
    {[sender.name, sender.company].filter(Boolean).join(', ')}
    <PartyReach phone={sender.phone} email={sender.email} />
  </>
)

/** The facts of an order. */
export function OrderFacts({ order, state, condition }: OrderFactsProps) {
  const { t } = useTranslation('orderLife')
  const seesRecords = useCan('devices.view')
  const { driver, vehicle, recordId, timezone, pickup } = order
  const isOver = order.state === 'completed' || order.state === 'cancelled'
  const time = (at: string | null, zone: string) => at && formatTime(at, zone)
  const facts: [string, ReactNode][] = [
    ['state', state],
    ['condition', order.verdict && condition],
    ['reference', order.reference && <Unbroken key="reference" text={order.reference} />],
    ['sender', <SenderOf key="sender" sender={order.sender} />],
    ['pickup', order.pickupAddress],
    ['pickupAt', time(order.pickupAt, pickup.timezone)],
    ['deliverBy', time(order.deliverBy, timezone)],
    ['driver', (driver !== null || !isOver) && <DriverOf key="driver" order={order} />],
    ['vehicle', vehicle && <WithUnbroken key="vehicle" text={`${vehicle.name}, ${vehicle.plate}`} />],
    ['devices', formatNumber(order.deviceCount)],
    [
      'record',
      recordId && seesRecords && order.hiddenDevices === 0 && (
        <Link key="record" to="/records/$recordId" params={{ recordId }} className={links.link}>
          {t('facts.toRecord')}
        </Link>
      ),
    ],
    ['started', time(order.startedAt, pickup.timezone)],
    ['ended', time(order.endedAt, timezone)],
    ['cancelled', time(order.cancelledAt, pickup.timezone)],
    ['reason', order.cancelReason],
    ['returnTo', order.returnTo],
    ['note', order.note],
    ['by', `${order.createdBy}, ${formatTime(order.createdAt)}`],
  ]
  return (
    <Paper component="section" className={frames.panel} aria-label={t('facts.label')}>
      <dl className={shared.facts} style={{ gridTemplateColumns: 'repeat(auto-fill, minmax(150px, 1fr))' }}>
        {facts.map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt>{t(`facts.${name}` as 'facts.state')}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      {order.hiddenDevices > 0 && <p className={frames.note}>{t('hidden', { count: order.hiddenDevices })}</p>}
    </Paper>
  )
}
