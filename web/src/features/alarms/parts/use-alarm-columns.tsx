import type { Alarm } from '@isotherm/contract/alarms.ts'
import { useTranslation } from 'react-i18next'
import { Age } from '../../../ui/age.tsx'
import type { Column } from '../../../ui/list/column.ts'
import { ruleIn } from '../rule-words.ts'
import { AlarmState, AlarmTargets } from './alarm-state.tsx'
import classes from './alarms.module.css'
import { SeverityMark } from './trigger-parts.tsx'

export function useAlarmColumns(): Column<Alarm>[] {
  const { t } = useTranslation('alarms')
  return [
    { key: 'name', title: t('columns.name'), sort: 'name', render: (alarm) => <AlarmName alarm={alarm} /> },
    {
      key: 'severity',
      title: t('columns.severity'),
      hideBelow: 820,
      render: ({ severity }) => <SeverityMark severity={severity} />,
    },
    { key: 'targets', title: t('columns.targets'), render: (alarm) => <AlarmTargets alarm={alarm} /> },
    { key: 'state', title: t('columns.state'), sort: 'openTriggers', render: (alarm) => <AlarmState alarm={alarm} /> },
    {
      key: 'last',
      title: t('columns.last'),
      sort: 'lastTriggered',
      hideBelow: 1100,
      render: (alarm) => <Age at={alarm.lastTriggeredAt} reason={t('neverTriggered')} />,
    },
  ]
}

function AlarmName({ alarm }: { alarm: Alarm }) {
  const { t } = useTranslation('alarms')
  return (
    <span className={classes.name}>
      <b>{alarm.name}</b>
      <span className={classes.rule}>{ruleIn(alarm.rule, alarm.places, t)}</span>
    </span>
  )
}

/** An alarm on a phone. */
export function AlarmCard({ alarm }: { alarm: Alarm }) {
  return (
    <>
      <AlarmName alarm={alarm} />
      <AlarmState alarm={alarm} />
      <span className={classes.cardFacts}>
        <SeverityMark severity={alarm.severity} />
        <AlarmTargets alarm={alarm} />
      </span>
    </>
  )
}
