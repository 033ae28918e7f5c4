import { type Report, reports } from '@isotherm/contract/reports.ts'
import { Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { formatTime, shownZone } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { Age } from '../../../ui/age.tsx'
import type { Column } from '../../../ui/list/column.ts'
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
          {devices.length > 0 && <div>{t('targets.devices', { count: devices.length })}</div>}
          {groups.length > 0 && <div>{t('targets.groups', { count: groups.length })}</div>}
        </>
      ),
    },
    {
      key: 'recipients',
      title: t('fields.recipients'),
      hideBelow: 1100,
      render: ({ recipients }) => t('recipients', { count: recipients.length }),
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
          <Text size="sm" c="dimmed" component="span">
            {t('never')}
          </Text>
        ),
    },
    { key: 'active', title: t('fields.active'), width: 84, render: (report) => <Active report={report} /> },
  ]
}

function Named({ report }: { report: Report }) {
  const { t } = useTranslation('reports')
  const { cadence, weekday, monthDay, time } = report
  return (
    <>
      <b>{report.name}</b>
      <Text size="xs" c="dimmed" component="div">
        {t(`sentence.${cadence}`, { weekday: t(`weekdays.${weekday as 1}`), day: monthDay, time })}
      </Text>
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

function Active({ report }: { report: Report }) {
  const { t } = useTranslation('reports')
  const mayEdit = useCan('reports.addOrEdit')
  const [busy, setBusy] = useState(false)
  const change = async (paused: boolean) => {
    setBusy(true)
    try {
      await call(reports.change, { params: { id: report.id }, body: { paused } }, { toastAll: true })
      toastSuccess(t(paused ? 'pausedToast' : 'resumedToast'))
      await refetchCalls(reports.list)
    } catch {
      // The call has toasted it.
    } finally {
      setBusy(false)
    }
  }
  return (
    // A row opens when it is clicked; its switch only switches.
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing is done here, only kept from the row
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys reach the switch itself
    <span onClick={(event) => event.stopPropagation()}>
      <Switch
        aria-label={t('pauseLabel', { name: report.name })}
        checked={!report.paused}
        disabled={!mayEdit || busy}
        onChange={(event) => void change(!event.currentTarget.checked)}
      />
    </span>
  )
}
