import { type Notification, notifications } from '@isotherm/contract/notifications.ts'
import { Link } from '@tanstack/react-router'
import { call } from '../../../lib/call.ts'
import { can } from '../../../lib/can.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { Age } from '../../../ui/age.tsx'
import classes from './notifications.module.css'

/** One line; opening it shows the trigger and marks the line as read. */
export function NotificationLine({ notification, onOpen }: { notification: Notification; onOpen: () => void }) {
  const { id, severity, text, at, readAt, triggerId } = notification
  const content = (
    <>
      <span className={classes.text}>{text}</span>
      <span className={classes.age}>
        <Age at={at} />
      </span>
    </>
  )
  const read = () => {
    if (!readAt) void call(notifications.read, { body: { ids: [id] } }).then(() => refetchCalls(notifications.list))
  }
  return (
    <li className={classes.line} data-severity={severity} data-unread={readAt === null || undefined}>
      {triggerId && can('alarms.view') ? (
        <Link
          to="/alarms/triggered-alarms"
          search={{ trigger: triggerId } as never}
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
