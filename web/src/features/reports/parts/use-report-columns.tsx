import type { Report } from '@isotherm/contract/reports.ts'
import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/numbers.ts'
import { formatTime, shownZone } from '../../../lib/times.ts'
import { Age } from '../../../ui/age.tsx'
import type { Column } from '../../../ui/list/column.ts'
import { StateDot } from '../../../ui/state-dot.tsx'
import { RunState } from './run-state.tsx'

export function useReportColumns(): Column<Report>[] {
  const { t } = useTranslation('reports')
  return [
    { key: 'name', title: t('fields.name'), sort: 'name', render: (report) => <Named report={report} /> },
    {
      key: 'targets',
      title: t('fields.targets'),
      hideBelow: 820,
      render: ({ devices, groups }) => (
        <>
          {devices.length > 0 && <div>{nameOfOne(devices) ?? t('targets.devices', { count: devices.length })}</div>}
          {groups.length > 0 && <div>{nameOfOne(groups) ?? t('targets.groups', { count: groups.length })}</div>}
        </>
      ),
    },
    {
      key: 'recipients',
      title: t('fields.recipients'),
      align: 'right',
      hideBelow: 1100,
      render: ({ recipients }) => formatNumber(recipients.length),
    },
    { key: 'nextRun', title: t('fields.next'), sort: 'nextRun', render: (report) => <Next report={report} /> },
    {
      key: 'lastRun',
      title: t('fields.last'),
      render: ({ lastRun }) =>
        lastRun ? (
          <>
            <RunState state={lastRun.state} progress={lastRun.progress} />
            <Text size="xs" c="dimmed" component="div">
              <Age at={lastRun.dueAt} />
            </Text>
          </>
        ) : (
          <Text size="sm" c="dimmed" component="span" style={{ whiteSpace: 'nowrap' }}>
            {t('never')}
          </Text>
        ),
    },
  ]
}

/** One target is named; several are counted. */
const nameOfOne = (targets: Report['groups']) => (targets.length === 1 ? targets[0]?.name : undefined)

function Named({ report }: { report: Report }) {
  const { t } = useTranslation('reports')
  const { cadence, weekday, monthDay, time, faults } = report
  return (
    <>
      <b>{report.name}</b>
      <Text size="xs" c="dimmed" component="div">
        {t(`sentence.${cadence}`, { weekday: t(`weekdays.${weekday as 1}`), day: monthDay, time })}
      </Text>
      {faults.map((fault) => (
        <div key={fault}>
          <StateDot tone="warning" label={t(`faults.${fault}`)} />
        </div>
      ))}
    </>
  )
}

/** By the reader's clock, and, where that is another, by that of the report. */
function Next({ report: { nextRunAt, timezone } }: { report: Report }) {
  const { t } = useTranslation('reports')
  if (!nextRunAt)
    return (
      <Text size="sm" c="dimmed" component="span">
        {t('paused')}
      </Text>
    )
  return (
    <>
      <div>{formatTime(nextRunAt)}</div>
      <Text size="xs" c="dimmed" component="div">
        {timezone === shownZone()
          ? timezone.replaceAll('_', ' ')
          : t('inZone', { time: formatTime(nextRunAt, timezone), zone: timezone.replaceAll('_', ' ') })}
      </Text>
    </>
  )
}
