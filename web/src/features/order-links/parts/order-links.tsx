import { type OrderLink, orderLinkLimits, orderLinks } from '@isotherm/contract/order-links.ts'
import type { OrderDetails, OrderReceiver } from '@isotherm/contract/orders.ts'
import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { can } from '../../../lib/can.ts'
import { copyLink } from '../../../lib/copy-link.ts'
import { named } from '../../../lib/named.ts'
import { useNow } from '../../../lib/now.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { formatTime } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.ts'
import { Panel } from '../../../ui/panel.tsx'
import classes from './order-links.module.css'

/** The state of each link is asked for up to so many receivers: every one is a call. */
const maxAsked = 20

const rowsOf = (receiverId: string | null) =>
  receiverId === null
    ? { read: orderLinks.driverLink, renew: orderLinks.rotateDriverLink, revoke: orderLinks.revokeDriverLink }
    : { read: orderLinks.receiverLink, renew: orderLinks.rotateReceiverLink, revoke: orderLinks.revokeReceiverLink }

interface RowProps {
  orderId: string
  /** Null: the driver's. */
  receiverId: string | null
  name: string
  isAsked: boolean
  /** Why no link is made: its page would show nothing of use. */
  why: Why | null
}
type Why = 'cancelled' | 'ended' | 'over'

const copy = (link: OrderLink, done: string) => copyLink(link.url, done)

/** The links of the driver's and the receivers' pages: to copy, replace and revoke, for those who may edit the order. */
export function OrderLinks({ order }: { order: OrderDetails }) {
  const { t } = useTranslation('orderLinks')
  const now = useNow()
  if (!can('dispatch.addOrEdit')) return null
  const isAsked = order.receiverList.length <= maxAsked
  return (
    <Panel title={t('links.title')}>
      <h3 className={classes.heading}>{t('links.driver')}</h3>
      <ul className={classes.list}>
        {order.driver ? (
          <Row orderId={order.id} receiverId={null} name={order.driver.name} isAsked why={whyOfDriver(order)} />
        ) : (
          <li className={classes.small}>{t('links.noDriver')}</li>
        )}
      </ul>
      <h3 className={classes.heading}>{t('links.receivers')}</h3>
      <ul className={classes.list}>
        {order.receiverList.map((receiver) => (
          <Row
            key={receiver.id}
            {...{ orderId: order.id, receiverId: receiver.id, name: receiver.party.name, isAsked }}
            why={whyOfReceiver(order, receiver, now)}
          />
        ))}
      </ul>
    </Panel>
  )
}

const whyOfDriver = ({ state }: Pick<OrderDetails, 'state'>): Why | null =>
  state === 'cancelled' ? 'cancelled' : state === 'completed' ? 'ended' : null

const hourMs = 3_600_000

function whyOfReceiver(order: Pick<OrderDetails, 'state'>, { state, settledAt }: OrderReceiver, now: number) {
  if (order.state === 'cancelled' || state === 'cancelled') return 'cancelled'
  return settledAt && Date.parse(settledAt) + orderLinkLimits.hoursAfter * hourMs <= now ? 'over' : null
}

function Row({ orderId, receiverId, name, isAsked, why }: RowProps) {
  const { t } = useTranslation('orderLinks')
  const now = useNow()
  const { read, renew, revoke } = rowsOf(receiverId)
  const params = { id: orderId, receiverId: receiverId ?? '' }
  const { data: link } = useCall(read, { params }, { enabled: isAsked })
  const refetch = () => refetchCalls(orderLinks.receiverLink, orderLinks.driverLink)
  const give = async () => {
    const found =
      (await call(read, { params }, { toastAll: true })) ?? (await call(renew, { params }, { toastAll: true }))
    await copy(found, t('links.copied'))
    await refetch()
  }
  const replace = () =>
    confirm({
      ...{ title: t('links.confirmRotate', { name }), text: t('links.rotateText'), action: t('links.rotate') },
      run: async () => {
        await copy(await call(renew, { params }), t('links.rotated'))
        await refetch()
      },
    })
  const end = () =>
    confirm({
      ...{ title: t('links.confirmRevoke', { name }), text: t('links.revokeText'), action: t('links.revoke') },
      destructive: true,
      run: async () => {
        await call(revoke, { params })
        await refetch()
        toastSuccess(t('links.revoked'))
      },
    })
  const isGood = link ? Date.parse(link.expiresAt) > now : false
  // A hand-over that became void is asked for again: its link lasts longer than its stop.
  const isOver = why === 'cancelled' || why === 'ended' || (why === 'over' && !isGood)
  const state = link
    ? [
        t(isGood ? 'links.expires' : 'links.expired', { time: formatTime(link.expiresAt) }),
        link.lastReadAt ? t('links.opened', { time: formatTime(link.lastReadAt) }) : t('links.notOpened'),
      ].join(' · ')
    : isOver
      ? t(`why.${why}`)
      : link === null && t('links.none')
  // Everybody who has a link has the same ones.
  const act = (action: string) => ({
    ...{ variant: 'default', size: 'sm', children: action },
    'aria-label': named(action, name),
  })
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <b>{name}</b>
        {state && <span className={classes.small}>{state}</span>}
      </div>
      <Group gap="xs">
        {(isGood || !isOver) && (
          <Button
            {...act(t(link === null ? 'links.make' : 'links.copy'))}
            onClick={() => void give().catch(() => undefined)}
          />
        )}
        {link && !isOver && <Button {...act(t('links.rotate'))} onClick={replace} />}
        {link && (isGood || !isOver) && <Button {...act(t('links.revoke'))} onClick={end} />}
      </Group>
    </li>
  )
}
