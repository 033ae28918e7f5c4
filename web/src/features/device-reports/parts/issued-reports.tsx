import { type DeviceReport, deviceReports } from '@isotherm/contract/device-reports.ts'
import { Anchor, Paper, Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { IssuedFile, IssuedList, IssuedReport, watching } from '../../../shared/issued/issued-report.tsx'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import classes from './report.module.css'

/** The reports of a device that were asked for, newest first; those being built show how far they are. */
export function IssuedReports({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation('deviceReports')
  const answer = useCall(deviceReports.list, { query: { deviceId, perPage: 10 } })
  return (
    <Paper component="section" className={`${frames.panel} ${frames.screenOnly}`} aria-labelledby="issued-reports">
      <h2 id="issued-reports">{t('issues.title')}</h2>
      {answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {answer.isLoading && <Skeleton height={60} />}
      {answer.data?.data.length === 0 && <p className={classes.note}>{t('issues.empty')}</p>}
      <IssuedList
        label={t('issues.list')}
        reports={answer.data?.data ?? []}
        line={(report) => <Issued report={report} />}
        actionsWidth={130}
      />
    </Paper>
  )
}

function Issued({ report: known }: { report: DeviceReport }) {
  const { t } = useTranslation('deviceReports')
  const fresh = useCall(deviceReports.one, { params: { id: known.id } }, watching(known)).data
  const words = {
    state: ({ state, progress }: DeviceReport) => t(`issues.states.${state}`, { progress }),
    failure: (failure: string) => t(`issues.failures.${failure}`),
    facts: ({ readings, pages, sizeBytes }: DeviceReport) =>
      [
        ...(readings === null ? [] : [t('issues.readings', { count: readings })]),
        ...(pages === null ? [] : [t('issues.pages', { count: pages })]),
        t('issues.size', { size: formatNumber(Math.max(1, Math.round((sizeBytes ?? 0) / 1000))) }),
      ].join(', '),
  }
  return (
    <IssuedReport
      known={known}
      fresh={fresh}
      list={deviceReports.list}
      words={words}
      actions={(report) => <Actions report={report} />}
    />
  )
}

function Actions({ report }: { report: DeviceReport }) {
  const { t } = useTranslation('deviceReports')
  const mayExport = useCan('devices.export')
  if (report.state !== 'ready') return <span />
  const name = `${report.deviceName}.${report.format}`
  return (
    <div className={classes.actions}>
      <Anchor
        size="sm"
        renderRoot={(props) => <Link {...props} to="/verify-report/$key" params={{ key: report.key }} />}
      >
        {t('issues.verify')}
      </Anchor>
      {mayExport && report.removedAt && <span className={classes.note}>{t('issues.removed')}</span>}
      {mayExport && !report.removedAt && (
        <IssuedFile
          name={name}
          label={t('issues.download', { name })}
          load={() => call(deviceReports.download, { params: { id: report.id } }, { toastAll: true })}
        />
      )}
    </div>
  )
}
