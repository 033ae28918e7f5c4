import { type DeviceReport, deviceReports } from '@isotherm/contract/device-reports.ts'
import { ActionIcon, Anchor, Paper, Progress, Skeleton, Tooltip } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { download } from '../../../lib/download.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { formatTime } from '../../../lib/times.ts'
import { Failure } from '../../../ui/failure.tsx'
import classes from './report.module.css'

/** The reports of a device that were asked for, newest first; those being built show how far they are. */
export function IssuedReports({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation('deviceReports')
  const answer = useCall(deviceReports.list, { query: { deviceId, perPage: 10 } })
  return (
    <Paper component="section" className={`${classes.panel} ${classes.screenOnly}`} aria-labelledby="issued-reports">
      <h2 id="issued-reports">{t('issues.title')}</h2>
      {answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {answer.isLoading && <Skeleton height={60} />}
      {answer.data?.data.length === 0 && <p className={classes.note}>{t('issues.empty')}</p>}
      <ul className={classes.issued} aria-label={t('issues.list')}>
        {answer.data?.data.map((report) => (
          <li key={report.id}>
            <Issued report={report} />
          </li>
        ))}
      </ul>
    </Paper>
  )
}

const isUnderWay = ({ state }: DeviceReport) => state === 'waiting' || state === 'building'

function Issued({ report: known }: { report: DeviceReport }) {
  const { t } = useTranslation('deviceReports')
  const fresh = useCall(
    deviceReports.one,
    { params: { id: known.id } },
    { enabled: isUnderWay(known), refetchMs: isUnderWay(known) ? 1_000 : undefined },
  ).data
  const report = isUnderWay(known) && fresh ? fresh : known
  const isOver = isUnderWay(known) && !isUnderWay(report)
  useEffect(() => {
    if (isOver) void refetchCalls(deviceReports.list)
  }, [isOver])
  return (
    <div className={classes.issue}>
      <div>
        <b>{report.format.toUpperCase()}</b> {formatTime(report.period.from)} – {formatTime(report.period.to)}
        <div className={classes.note}>
          {formatTime(report.createdAt)}, {report.requestedBy}
          {report.state === 'ready' && ` · ${sizeOf(report, t)}`}
        </div>
      </div>
      <div className={classes.state}>
        {isUnderWay(report) ? (
          <Progress
            value={Math.max(4, report.progress)}
            w={110}
            aria-label={t('issues.states.building', { progress: report.progress })}
          />
        ) : (
          <span data-state={report.state}>{t(`issues.states.${report.state}`)}</span>
        )}
        {report.failure && <div className={classes.note}>{t(`issues.failures.${report.failure}`)}</div>}
      </div>
      <Actions report={report} />
    </div>
  )
}

type T = ReturnType<typeof useTranslation<'deviceReports'>>['t']
function sizeOf({ readings, pages, sizeBytes }: DeviceReport, t: T): string {
  return [
    ...(readings === null ? [] : [t('issues.readings', { count: readings })]),
    ...(pages === null ? [] : [t('issues.pages', { count: pages })]),
    t('issues.size', { size: formatNumber(Math.max(1, Math.round((sizeBytes ?? 0) / 1000))) }),
  ].join(', ')
}

function Actions({ report }: { report: DeviceReport }) {
  const { t } = useTranslation('deviceReports')
  const mayExport = useCan('devices.export')
  if (report.state !== 'ready') return <span />
  const name = `${report.deviceName}.${report.format}`
  const load = async () => {
    try {
      download(await call(deviceReports.download, { params: { id: report.id } }, { toastAll: true }), name)
    } catch {
      // The call has toasted it.
    }
  }
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
        <Tooltip label={t('issues.download', { name })}>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t('issues.download', { name })}
            onClick={() => void load()}
          >
            <IconDownload size={17} />
          </ActionIcon>
        </Tooltip>
      )}
    </div>
  )
}
