import { orderLife } from '@isotherm/contract/order-life.ts'
import type { OrderDetails, OrderItem, OrderReceiver } from '@isotherm/contract/orders.ts'
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { formatMoney } from '../../../lib/money.ts'
import { named } from '../../../lib/named.ts'
import { formatNumber, withUnit } from '../../../lib/numbers.ts'
import { formatSpan, formatTime } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { Panel } from '../../../ui/panel.tsx'
import { StateDot } from '../../../ui/state-dot.tsx'
import { showOrder } from '../refetch-order.ts'
import { isOpen, stopTones } from '../stop-states.ts'
import classes from './order-life.module.css'
import { PartyReach } from './party-reach.tsx'
import { OutcomeDialog, SnoozeDialog } from './stop-dialogs.tsx'

/** The receivers of an order in the sequence of their stops, each with its goods and what became of them. */
export function OrderStops({ order }: { order: OrderDetails }) {
  const { t } = useTranslation('orderLife')
  return (
    <Panel title={t('stops.title')}>
      <ol className={classes.stops}>
        {order.receiverList.map((receiver) => (
          <li key={receiver.id}>
            <Stop order={order} receiver={receiver} />
          </li>
        ))}
      </ol>
    </Panel>
  )
}

function Stop({ order, receiver }: { order: OrderDetails; receiver: OrderReceiver }) {
  const { t } = useTranslation('orderLife')
  const { party, stop, items } = receiver
  const zone = stop.timezone
  const isSnoozed = receiver.snoozedUntil !== null
  const factsOf = ({ unitCount, weightG, worth }: OrderItem) => [
    ...(unitCount > 1 ? [t('goods.each', { number: formatNumber(unitCount) })] : []),
    ...(weightG === null ? [] : [withUnit(weightG / 1_000, 'kg')]),
    ...(worth === null || order.currency === null ? [] : [formatMoney(worth, order.currency)]),
  ]
  return (
    <>
      <div className={classes.stopHead}>
        <strong>{party.name}</strong>
        {isSnoozed ? (
          <StateDot
            tone="warning"
            label={t('stops.snoozed', { time: formatTime(receiver.snoozedUntil ?? '', zone) })}
          />
        ) : (
          <StateDot
            tone={stopTones[receiver.state]}
            hollow={receiver.state === 'waiting'}
            label={isLeft(receiver) ? t('stops.left') : t(`stops.state.${receiver.state}`)}
          />
        )}
      </div>
      <p className={classes.line}>{[party.company, stop.address].filter(Boolean).join(', ')}</p>
      <PartyReach phone={party.phone} email={party.email} />
      <ul className={classes.items}>
        {items.map((item) => (
          <li key={item.id}>
            {[t('goods.item', { quantity: formatNumber(item.quantity), name: item.name }), ...factsOf(item)].join(
              ' · ',
            )}
            {item.deliveredQuantity !== null && item.deliveredQuantity < item.quantity && (
              <> · {t('goods.partly', { delivered: formatNumber(item.deliveredQuantity) })}</>
            )}
            {item.refusedReason && <> · {item.refusedReason}</>}
            {item.note && <p className={classes.line}>{item.note}</p>}
          </li>
        ))}
      </ul>
      {timesOf(receiver, zone).map(([name, time]) => (
        <p key={name} className={classes.line}>
          {t(`stops.${name}` as 'stops.window', { time })}
        </p>
      ))}
      {(receiver.snoozeReason ?? receiver.outcomeReason) && (
        <p className={classes.line}>{receiver.snoozeReason ?? receiver.outcomeReason}</p>
      )}
      {receiver.settledBy === 'geofence' && <p className={classes.line}>{t('stops.byFence')}</p>}
      <StopActs order={order} receiver={receiver} />
    </>
  )
}

/** Reached and left, and nobody has said what became of the goods. */
const isLeft = ({ state, departedAt }: OrderReceiver) => state === 'arrived' && departedAt !== null

function timesOf({ windowFrom, windowBy, eta, arrivedAt, departedAt, settledAt, state }: OrderReceiver, zone: string) {
  const span = windowFrom && windowBy && formatSpan(windowFrom, windowBy, zone)
  const expected = eta && isOpen({ settledAt }) && formatSpan(eta.from, eta.to, zone)
  const times: [string, string | null | false][] = [
    ['window', span ? `${span.from} – ${span.to}` : windowBy && formatTime(windowBy, zone)],
    ['notBefore', !windowBy && windowFrom && formatTime(windowFrom, zone)],
    ['expected', expected && `${expected.from} – ${expected.to}`],
    ['arrived', arrivedAt && formatTime(arrivedAt, zone)],
    ['settled', state !== 'cancelled' && settledAt && formatTime(settledAt, zone)],
    ['departed', departedAt && formatTime(departedAt, zone)],
  ]
  return times.filter((time): time is [string, string] => Boolean(time[1]))
}

function StopActs({ order, receiver }: { order: OrderDetails; receiver: OrderReceiver }) {
  const { t } = useTranslation('orderLife')
  const mayAct = useCan('dispatch.addOrEdit')
  const [asked, setAsked] = useState<'snooze' | 'settle'>()
  const isRunning = order.state === 'inProgress'
  if (!mayAct || !isOpen(receiver) || (!isRunning && order.state !== 'new')) return null
  const params = { id: order.id, receiverId: receiver.id }
  const unsnooze = async () => {
    const saved = await call(orderLife.snooze, { params, body: { until: null } }, { toastAll: true })
    toastSuccess(t('unsnooze.done', { name: receiver.party.name }))
    showOrder(saved)
  }
  // Each stop has the same ones.
  const act = (action: string) => ({
    ...{ size: 'xs', variant: 'default', children: action },
    'aria-label': named(action, receiver.party.name),
  })
  const dialog = { orderId: order.id, receiver, onClose: () => setAsked(undefined) }
  return (
    <Group gap="xs" mt={6}>
      {receiver.snoozedUntil ? (
        <Button {...act(t('unsnooze.action'))} onClick={() => void unsnooze().catch(() => undefined)} />
      ) : (
        <Button {...act(t('snooze.action'))} onClick={() => setAsked('snooze')} />
      )}
      {isRunning && <Button {...act(t('settle.action'))} onClick={() => setAsked('settle')} />}
      {asked === 'snooze' && <SnoozeDialog {...dialog} />}
      {asked === 'settle' && <OutcomeDialog {...dialog} />}
    </Group>
  )
}
