import { type GroupReport, groupReports } from '@isotherm/contract/group-reports.ts'
import { ActionIcon, Paper, Progress, Tooltip } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { download } from '../../../lib/download.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { formatTime } from '../../../lib/times.ts'
import { Failure } from '../../../ui/failure.tsx'
import classes from './group-reports.module.css'

/** The reports of a group that were asked for, newest first; those being built show how far they are. None: nothing. */
export function IssuedGroupReports({ groupId }: { groupId: string }) {
  const { t } = useTranslation('groupReports')
  const answer = useCall(groupReports.reports, { params: { id: groupId }, query: { perPage: 10 } })
  if (answer.error && !answer.data) return <Failure error={answer.error} onRetry={() => void answer.refetch()} />
  if (!answer.data || answer.data.data.length === 0) return null
  return (
    <Paper component="section" className={classes.panel} aria-labelledby="issued-group-reports">
      <h2 id="issued-group-reports">{t('issued')}</h2>
      <ul className={classes.list} aria-label={t('list')}>
        {answer.data.data.map((report) => (
          <li key={report.id}>
            <Issued report={report} />
          </li>
        ))}
      </ul>
    </Paper>
  )
}

const isUnderWay = ({ state }: GroupReport) => state === 'waiting' || state === 'building'

function Issued({ report: known }: { report: GroupReport }) {
  const { t } = useTranslation('groupReports')
  const fresh = useCall(
    groupReports.report,
    { params: { id: known.id } },
    { enabled: isUnderWay(known), refetchMs: isUnderWay(known) ? 1_000 : undefined },
  ).data
  const report = isUnderWay(known) && fresh ? fresh : known
  const isOver = isUnderWay(known) && !isUnderWay(report)
  useEffect(() => {
    if (isOver) void refetchCalls(groupReports.reports)
  }, [isOver])
  return (
    <div className={classes.report}>
      <div>
        <b>{report.format.toUpperCase()}</b> {formatTime(report.period.from)} – {formatTime(report.period.to)}
        <div className={classes.note}>
          {formatTime(report.createdAt)}, {report.requestedBy}
          {report.state === 'ready' && ` · ${factsOf(report, t)}`}
        </div>
      </div>
      <div className={classes.state}>
        {isUnderWay(report) ? (
          <Progress
            value={Math.max(4, report.progress)}
            w={110}
            aria-label={t('states.building', { progress: report.progress })}
          />
        ) : (
          <span data-state={report.state}>{t(`states.${report.state}`)}</span>
        )}
        {report.failure && <div className={classes.note}>{t(`failures.${report.failure}`)}</div>}
      </div>
      <File report={report} />
    </div>
  )
}

type T = ReturnType<typeof useTranslation<'groupReports'>>['t']
function factsOf({ devices, pages, sizeBytes }: GroupReport, t: T): string {
  return [
    t('devices', { count: devices ?? 0 }),
    ...(pages === null ? [] : [t('pages', { count: pages })]),
    t('size', { size: formatNumber(Math.ceil((sizeBytes ?? 0) / 1000)) }),
  ].join(', ')
}

function File({ report }: { report: GroupReport }) {
  const { t } = useTranslation('groupReports')
  const mayExport = useCan('groups.export')
  if (report.state !== 'ready' || !mayExport) return null
  const name = `isotherm-group-${report.groupId}-${report.period.from.slice(0, 10)}-${report.period.to.slice(0, 10)}.${report.format}`
  const label = t('file', { name })
  const fetchFile = async () =>
    download(await call(groupReports.reportFile, { params: { id: report.id } }, { toastAll: true }), name)
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" aria-label={label} onClick={() => void fetchFile().catch(() => undefined)}>
        <IconDownload size={17} />
      </ActionIcon>
    </Tooltip>
  )
}
