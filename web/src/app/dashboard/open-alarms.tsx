import type { TriggerPage } from '@isotherm/contract/triggers.ts'
import { Button, Paper, Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { HappenedText } from '../../features/alarms/parts/trigger-parts.tsx'
import { useAcknowledge } from '../../features/alarms/use-trigger-actions.ts'
import { named } from '../../lib/named.ts'
import { Age } from '../../ui/age.tsx'
import { Failure } from '../../ui/failure.tsx'
import { InSlot, useSlots } from '../../ui/slots.tsx'
import shared from '../overview.module.css'
import classes from './dashboard.module.css'

const id = 'open-alarms'

interface OpenAlarmsProps {
  /** More may be open than it lists; undefined until the server has answered. */
  page: TriggerPage | undefined
  error: unknown
  onRetry: () => void
}

/** The alarms nobody has acknowledged, critical ones and then the newest first; acknowledged from the row. That none is open is said only once it is known. */
export function OpenAlarms({ page, error, onRetry }: OpenAlarmsProps) {
  const { t } = useTranslation('dashboard')
  const triggers = page?.data ?? []
  const total = page?.meta.total ?? 0
  const { acknowledge, busy } = useAcknowledge()
  const { skips } = useSlots()
  return (
    <Paper className={shared.panel} component="section" aria-label={t('openAlarms.title')} id={id} tabIndex={-1}>
      {triggers.length > 0 && (
        <InSlot slot={skips}>
          <a href={`#${id}`}>{t('openAlarms.skip')}</a>
        </InSlot>
      )}
      <h2 className={shared.heading}>{t('openAlarms.title')}</h2>
      {!page && error ? (
        <Failure error={error} onRetry={onRetry} />
      ) : !page ? (
        <Skeleton height={60} role="status" aria-label={t('loadingAlarms')} />
      ) : triggers.length === 0 ? (
        <p className={shared.nothing}>{t('openAlarms.none')}</p>
      ) : (
        <ul className={`${shared.alarms} ${classes.alarms}`}>
          {triggers.map((trigger) => (
            <li key={trigger.id} data-row data-severity={trigger.severity}>
              <Link to="/alarms/triggered-alarms" search={{ trigger: trigger.id }} className={shared.link}>
                <HappenedText trigger={trigger} />
              </Link>
              <span className={classes.alarmFacts}>
                <span className={shared.small}>
                  <Age at={trigger.openedAt ?? trigger.breachAt} /> · {trigger.alarmName}
                </span>
                {trigger.canAcknowledge && (
                  <Button
                    className={classes.alarmButton}
                    size="xs"
                    variant="default"
                    aria-label={named(t('alarms:actions.acknowledge'), `${trigger.deviceName}, ${trigger.alarmName}`)}
                    aria-keyshortcuts="e"
                    loading={busy.has(trigger.id)}
                    onClick={() => void acknowledge(trigger)}
                  >
                    {t('alarms:actions.acknowledge')}
                  </Button>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {total > triggers.length && (
        <Link to="/alarms/triggered-alarms" search={{ state: 'open' }} className={classes.allAlarms}>
          {t('openAlarms.all', { count: total })}
        </Link>
      )}
    </Paper>
  )
}
