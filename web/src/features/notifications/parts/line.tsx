import { type Notification, notifications } from '@isotherm/contract/notifications.ts'
import { Link } from '@tanstack/react-router'
import { call } from '../../../lib/call.ts'
import { can } from '../../../lib/can.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { Age } from '../../../ui/age.tsx'
import classes from './notifications.module.css'

/** Where a line leads, as far as the person may go there; null: it is only marked as read. */
function goalOf({ kind, triggerId, alarmId, deviceId, orderId, shipmentId }: Notification) {
  if (orderId && can('dispatch.view')) return { to: '/dispatch/order/$orderId', params: { orderId } } as const
  if (shipmentId && can('dispatch.view'))
    return { to: '/export/dispatch/shipment/$shipmentId', params: { shipmentId }, search: {} } as const
  if (triggerId && can('alarms.view'))
    return { to: '/alarms/triggered-alarms', search: { trigger: triggerId } } as const
  if (alarmId && can('alarms.view')) return { to: '/alarms/$alarmId/details', params: { alarmId } } as const
  if (deviceId && can('devices.view')) return { to: '/devices/$deviceId/details', params: { deviceId } } as const
  if (kind === 'support') return { to: '/support' } as const
  if (!can('payments.view')) return null
  if (kind === 'billing') return { to: '/subscription/devices' } as const
  return kind === 'wallet' ? ({ to: '/wallet/overview' } as const) : null
}

/** One line; opening it shows what it speaks of and marks the line as read. */
export function NotificationLine({ notification, onOpen }: { notification: Notification; onOpen: () => void }) {
  const { id, severity, text, at, readAt } = notification
  const goal = goalOf(notification)
  const content = (
    <>
      <span className={classes.text}>{text}</span>
      <span className={classes.age}>
        <Age at={at} />
      </span>
    </>
  )
  const read = () => {
    if (readAt) return
    void call(notifications.read, { body: { ids: [id] } })
      .then(() => refetchCalls(notifications.list))
      // Where the line leads is shown all the same; it stays unread.
      .catch(() => undefined)
  }
  return (
    <li className={classes.line} data-severity={severity} data-unread={readAt === null || undefined}>
      {goal ? (
        <Link
          {...goal}
          onClick={() => {
            read()
            onOpen()
          }}
        >
          {content}
        </Link>
      ) : (
        <button type="button" onClick={read}>
          {content}
        </button>
      )}
    </li>
  )
}
