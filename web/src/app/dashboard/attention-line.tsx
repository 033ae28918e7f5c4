import type { Dashboard } from '@isotherm/contract/dashboard.ts'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../lib/now.ts'
import { formatClock, formatDate, zoneName } from '../../lib/times.ts'
import { type AttentionItem, attentionOf, listSearch } from './attention.ts'
import classes from './dashboard.module.css'

interface AttentionLineProps {
  /** Null for a role that may not see devices. */
  devices: Dashboard['devices']
  /** Open critical alarms that nobody has acknowledged. */
  criticalAlarms: number
  /** Alarms and reports that cannot do their work. */
  faulty: { alarms: number; reports: number }
}

/** One line: what needs somebody, each a link; all well says so, calmly. */
export function AttentionLine({ devices, criticalAlarms, faulty }: AttentionLineProps) {
  const { t } = useTranslation('dashboard')
  const items = devices ? attentionOf(devices) : []
  if (items.length + criticalAlarms + faulty.alarms + faulty.reports === 0)
    return (
      <p className={classes.attention} data-calm>
        <IconCircleCheck size={20} aria-hidden="true" />
        {t(devices ? 'attention.allWell' : 'attention.noAlarm')}
      </p>
    )
  return (
    <div className={classes.attention}>
      <IconAlertTriangle size={20} aria-hidden="true" />
      <ul aria-label={t('attention.label')}>
        {criticalAlarms > 0 && (
          <li data-kind="critical">
            <Link to="/alarms/triggered-alarms" search={{ severity: 'critical', state: 'open' }}>
              {t('attention.critical', { count: criticalAlarms })}
            </Link>
          </li>
        )}
        {items.map((item) => (
          <li key={item.kind} data-kind={item.kind}>
            <AttentionLink item={item} />
          </li>
        ))}
        {faulty.alarms > 0 && (
          <li data-kind="faulty">
            <Link to="/alarms/list" search={{ state: 'faulty' }}>
              {t('attention.faultyAlarms', { count: faulty.alarms })}
            </Link>
          </li>
        )}
        {faulty.reports > 0 && (
          <li data-kind="faulty">
            <Link to="/reports" search={{ state: 'faulty' }}>
              {t('attention.faultyReports', { count: faulty.reports })}
            </Link>
          </li>
        )}
      </ul>
    </div>
  )
}

function AttentionLink({ item }: { item: AttentionItem }) {
  const { t } = useTranslation('dashboard')
  const now = useNow()
  const at = Date.parse(item.since)
  const day = formatDate(at)
  const time =
    now - at < 20 * 3_600_000
      ? t('attention.atTime', { time: `${formatClock(at)} ${zoneName()}` })
      : t('attention.onDay', { date: day })
  const text = item.only
    ? t(`attention.one.${item.kind}`, { name: item.only.deviceName, time, day })
    : t(`attention.several.${item.kind}`, { count: item.count, time, day })
  if (item.only)
    return (
      <Link to="/devices/$deviceId/details" params={{ deviceId: item.only.deviceId }}>
        {text}
      </Link>
    )
  return (
    <Link to="/devices/device-overview" search={listSearch[item.kind]}>
      {text}
    </Link>
  )
}
