import { type OrderLink, orderLinks } from '@isotherm/contract/order-links.ts'
import type { OrderDetails } from '@isotherm/contract/orders.ts'
import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { can } from '../../../lib/can.ts'
import { copyLink } from '../../../lib/copy-link.ts'
import { named } from '../../../lib/named.ts'
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
}

const copy = (link: OrderLink, done: string) => copyLink(link.url, done)

/** The links of the driver's and the receivers' pages: to copy, replace and revoke, for those who may edit the order. */
export function OrderLinks({ order }: { order: OrderDetails }) {
  const { t } = useTranslation('orderLinks')
  if (!can('dispatch.addOrEdit')) return null
  const isAsked = order.receiverList.length <= maxAsked
  return (
    <Panel title={t('links.title')}>
      <h3 className={classes.heading}>{t('links.driver')}</h3>
      <ul className={classes.list}>
        {order.driver ? (
          <Row orderId={order.id} receiverId={null} name={order.driver.name} isAsked />
        ) : (
          <li className={classes.small}>{t('links.noDriver')}</li>
        )}
      </ul>
      <h3 className={classes.heading}>{t('links.receivers')}</h3>
      <ul className={classes.list}>
        {order.receiverList.map(({ id, party }) => (
          <Row key={id} orderId={order.id} receiverId={id} name={party.name} isAsked={isAsked} />
        ))}
      </ul>
    </Panel>
  )
}

function Row({ orderId, receiverId, name, isAsked }: RowProps) {
  const { t } = useTranslation('orderLinks')
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
  const state = link
    ? [
        t('links.expires', { time: formatTime(link.expiresAt) }),
        link.lastReadAt ? t('links.opened', { time: formatTime(link.lastReadAt) }) : t('links.notOpened'),
      ].join(' · ')
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
        <Button
          {...act(t(link === null ? 'links.make' : 'links.copy'))}
          onClick={() => void give().catch(() => undefined)}
        />
        {link && (
          <>
            <Button {...act(t('links.rotate'))} onClick={replace} />
            <Button {...act(t('links.revoke'))} onClick={end} />
          </>
        )}
      </Group>
    </li>
  )
}
